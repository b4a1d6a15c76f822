//! Reading what `strict::compact` gave into a tree. That text is known to be JSON, so little can be wrong here.

use crate::json::node::Node;
use std::borrow::Cow;

/// The tree of a compact JSON text; `None` for any other text. Strings are lent from the text where they have no escapes.
#[must_use]
pub fn read(compact: &str) -> Option<Node<'_>> {
    let mut reader = TreeReader { text: compact, at: 0, items: Vec::new(), members: Vec::new() };
    let node = reader.node()?;
    (reader.at == compact.len()).then_some(node)
}

struct TreeReader<'a> {
    text: &'a str,
    at: usize,
    /// What was read of the arrays and objects that have not ended yet: when one ends, it gets as much room as it needs and no
    /// more. A list that grew by itself would have room for four where it has one.
    items: Vec<Node<'a>>,
    members: Vec<(Cow<'a, str>, Node<'a>)>,
}

impl<'a> TreeReader<'a> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.at += 1)
    }

    fn node(&mut self) -> Option<Node<'a>> {
        match self.next()? {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => self.string().map(Node::Text),
            b't' => self.word("true", Node::Bool(true)),
            b'f' => self.word("false", Node::Bool(false)),
            b'n' => self.word("null", Node::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, node: Node<'a>) -> Option<Node<'a>> {
        self.text.get(self.at..)?.starts_with(word).then(|| self.at += word.len())?;
        Some(node)
    }

    fn number(&mut self) -> Option<Node<'a>> {
        let rest = self.text.get(self.at..)?;
        let length = rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let digits = rest.get(..length).filter(|digits| !digits.is_empty())?;
        self.at += length;
        Some(Node::Number(Cow::Borrowed(digits)))
    }

    fn string(&mut self) -> Option<Cow<'a, str>> {
        let start = self.at;
        self.skip(b'"')?;
        let mut escapes = false;
        loop {
            match self.next()? {
                b'"' => break,
                b'\\' => (self.at, escapes) = (self.at + 2, true),
                _ => self.at += 1,
            }
        }
        self.at += 1;
        if escapes {
            return serde_json::from_str::<String>(self.text.get(start..self.at)?).ok().map(Cow::Owned);
        }
        self.text.get(start + 1..self.at - 1).map(Cow::Borrowed)
    }

    fn array(&mut self) -> Option<Node<'a>> {
        self.skip(b'[')?;
        let start = self.items.len();
        while self.next()? != b']' {
            if self.items.len() > start {
                self.skip(b',')?;
            }
            let item = self.node()?;
            self.items.push(item);
        }
        self.at += 1;
        Some(Node::Array(self.items.drain(start..).collect()))
    }

    fn object(&mut self) -> Option<Node<'a>> {
        self.skip(b'{')?;
        let start = self.members.len();
        while self.next()? != b'}' {
            if self.members.len() > start {
                self.skip(b',')?;
            }
            let name = self.string()?;
            self.skip(b':')?;
            let value = self.node()?;
            self.members.push((name, value));
        }
        self.at += 1;
        Some(Node::Object(self.members.drain(start..).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::print;
    use crate::limits::Shape;
    use crate::strict;
    use proptest::prelude::*;

    #[test]
    fn numbers_keep_their_spelling_and_strings_lose_their_escapes() {
        let node = read(r#"{"a":[1.50,-0.0e+2,"x\"\u00e9\\"],"b":{},"c":[true,false,null]}"#).unwrap();
        assert_eq!(node.get("a").unwrap().items()[0].number(), Some("1.50"));
        assert_eq!(node.get("a").unwrap().items()[2].text(), Some("x\"é\\"));
        assert_eq!(print(&node), r#"{"a":[1.50,-0.0e+2,"x\"é\\"],"b":{},"c":[true,false,null]}"#);
    }

    /// The bytes that a tree holds beside the text: those of its lists, and of strings that had escapes.
    fn held(node: &Node<'_>) -> usize {
        let own = |text: &Cow<'_, str>| if let Cow::Owned(text) = text { text.capacity() } else { 0 };
        match node {
            Node::Null | Node::Bool(_) => 0,
            Node::Number(text) | Node::Text(text) => own(text),
            Node::Array(items) => items.capacity() * size_of::<Node<'_>>() + items.iter().map(held).sum::<usize>(),
            Node::Object(members) => {
                members.capacity() * size_of::<(Cow<'_, str>, Node<'_>)>()
                    + members.iter().map(|(name, value)| own(name) + held(value)).sum::<usize>()
            }
        }
    }

    #[test]
    fn a_tree_takes_so_many_bytes_for_each_value_and_no_more() {
        let many = |value: &str, times: usize| format!("[{}]", vec![value; times].join(","));
        for (text, values) in [
            (many("1", 1000), 1001),
            (many("[1]", 1000), 2001),
            (many(r#"{"a":1}"#, 1000), 2001),
            (many(r#"{"url":"a","valueCode":"b"}"#, 1000), 3001),
            (many("{}", 1000), 1001),
        ] {
            let held = held(&read(&text).unwrap());
            assert!(held <= 56 * values, "{held} bytes for {values} values");
        }
        let escaped = format!("\"{}\"", "\\u0041".repeat(1000));
        assert!(held(&read(&escaped).unwrap()) <= escaped.len());
    }

    #[test]
    fn what_is_no_compact_json_is_no_tree() {
        for text in ["", "{", "[1", "\"a", "{\"a\"}", "nul", "[1]x", " 1", "\"\\", "{\"a\":}", "[,]"] {
            assert!(read(text).is_none(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_json_there_is_is_read_and_printed_as_the_same_value(text in "[\\[\\]{}\",:0-9a-z\\\\ \n.é-]{0,40}") {
            if let Ok(compact) = strict::compact(&text, Shape { depth: 64, values: 1000 }) {
                let printed = print(&read(&compact).unwrap());
                let before: serde_json::Value = serde_json::from_str(&compact).unwrap();
                prop_assert_eq!(before, serde_json::from_str::<serde_json::Value>(&printed).unwrap());
            }
            let _ = read(&text);
        }
    }
}
