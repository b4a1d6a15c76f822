//! Reading a Bundle entry by entry, so that it may be larger than memory.

use std::io::{BufRead, Error, ErrorKind, Result};

/// Where the entries of a Bundle begin in what begins with `text`: behind the bracket. `None` if this is no Bundle, or if
/// it cannot be told from so much of it.
pub(super) fn entries_begin(text: &[u8]) -> Option<usize> {
    let mut at = past(text, 0, b'{')?;
    let mut is_bundle = false;
    loop {
        let name_from = white(text, at);
        let name_to = value_end(text, name_from)?;
        let name = text.get(name_from..name_to)?;
        let from = white(text, past(text, name_to, b':')?);
        if name == br#""entry""# && is_bundle {
            return past(text, from, b'[');
        }
        let to = value_end(text, from)?;
        if name == br#""resourceType""# {
            is_bundle = text.get(from..to)? == br#""Bundle""#;
            if !is_bundle {
                return None;
            }
        }
        at = past(text, to, b',')?;
    }
}

/// Behind this byte, if it is what comes next.
fn past(text: &[u8], at: usize, wanted: u8) -> Option<usize> {
    let at = white(text, at);
    (*text.get(at)? == wanted).then_some(at + 1)
}

/// Behind white space.
fn white(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Where the value that begins here ends; `None` if the text ends before.
fn value_end(text: &[u8], from: usize) -> Option<usize> {
    let mut value = Extent::default();
    let ended = text.get(from..)?.iter().position(|byte| value.ends_before(*byte));
    ended.map(|length| from + length)
}

/// How far a JSON value goes, byte by byte. Whether it is well formed is for its reader to say.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    depth: usize,
    in_text: bool,
    after_backslash: bool,
    is_whole: bool,
}

impl Extent {
    /// Takes the next byte; true if the value has ended before it.
    const fn ends_before(&mut self, byte: u8) -> bool {
        if self.is_whole {
            return true;
        }
        if self.in_text {
            if self.after_backslash {
                self.after_backslash = false;
            } else if byte == b'\\' {
                self.after_backslash = true;
            } else if byte == b'"' {
                self.in_text = false;
                self.is_whole = self.depth == 0;
            }
            return false;
        }
        match byte {
            b'"' => self.in_text = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                self.is_whole = self.depth == 0;
            }
            // Behind a number or a word there is nothing of its own that would end it.
            b'}' | b']' | b',' | b':' => return self.depth == 0,
            _ if byte.is_ascii_whitespace() => return self.depth == 0,
            _ => {}
        }
        false
    }
}

/// What comes next in a Bundle.
#[derive(Debug)]
pub(super) enum Next {
    /// The bytes of an entry, and how many lines were passed before it.
    Entry(Vec<u8>, usize),
    /// An entry that is too long was passed: the lines before it, and those in it.
    TooLong { before: usize, within: usize },
    /// The Bundle has ended, so many lines further.
    End(usize),
}

/// Reads the next entry of a Bundle whose entries have begun, or what is left of the Bundle behind them.
pub(super) fn next(from: &mut dyn BufRead, most: usize) -> Result<Next> {
    let (mut lines, mut is_over) = (0, false);
    loop {
        let Some(byte) = first(from)? else { return Err(broken_off()) };
        match byte {
            b'\n' => lines += 1,
            b']' => is_over = true,
            b'}' if is_over => {
                from.consume(1);
                return Ok(Next::End(lines));
            }
            // The members behind the entries.
            b'"' | b'{' | b'[' if is_over => {
                lines += value(from, most)?.lines;
                continue;
            }
            b',' => {}
            _ if is_over || byte.is_ascii_whitespace() => {}
            _ => {
                return Ok(match value(from, most)? {
                    Passed { bytes: Some(bytes), .. } => Next::Entry(bytes, lines),
                    Passed { lines: within, .. } => Next::TooLong { before: lines, within },
                });
            }
        }
        from.consume(1);
    }
}

fn first(from: &mut dyn BufRead) -> Result<Option<u8>> {
    Ok(from.fill_buf()?.first().copied())
}

/// A value that was read to its end.
struct Passed {
    /// None, where they are too many to be kept.
    bytes: Option<Vec<u8>>,
    lines: usize,
}

/// Reads the value that begins here. Its bytes are kept if there are fewer than `most`.
fn value(from: &mut dyn BufRead, most: usize) -> Result<Passed> {
    let (mut value, mut bytes, mut lines) = (Extent::default(), Some(Vec::new()), 0);
    loop {
        let there = from.fill_buf()?;
        if there.is_empty() {
            return Err(broken_off());
        }
        let ended = there.iter().position(|byte| value.ends_before(*byte));
        let part = there.get(..ended.unwrap_or(there.len())).unwrap_or_default();
        let taken = part.len();
        lines += newlines(part);
        bytes = bytes.filter(|bytes| bytes.len() + taken < most);
        if let Some(bytes) = &mut bytes {
            bytes.extend_from_slice(part);
        }
        from.consume(taken);
        if ended.is_some() {
            return Ok(Passed { bytes, lines });
        }
    }
}

pub(super) fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

fn broken_off() -> Error {
    Error::new(ErrorKind::UnexpectedEof, "the Bundle breaks off before its end")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> std::result::Result<Vec<String>, String> {
        let begin = entries_begin(text.as_bytes()).ok_or("no Bundle")?;
        // A small buffer, so that values go over its edges.
        let mut rest = std::io::BufReader::with_capacity(5, &text.as_bytes()[begin..]);
        let mut found = Vec::new();
        loop {
            match next(&mut rest, 100).map_err(|why| why.to_string())? {
                Next::Entry(bytes, _) => found.push(String::from_utf8(bytes).unwrap()),
                Next::TooLong { .. } => found.push("too long".to_owned()),
                Next::End(_) => return Ok(found),
            }
        }
    }

    #[test]
    fn entries_come_one_by_one_whatever_is_in_them() {
        let text = r#" {"id":"x","resourceType" : "Bundle","link":[{"url":"]}\""}],
            "entry" : [ {"a":"}],[{\\"} , {"b":[1,{"c":{}}]},3] , "total":2,"x":{"entry":[]}} "#;
        let expected = [r#"{"a":"}],[{\\"}"#, r#"{"b":[1,{"c":{}}]}"#, "3"];
        assert_eq!(entries(text).unwrap(), expected);
        assert!(entries(r#"{"resourceType":"Bundle","entry":[]}"#).unwrap().is_empty());
    }

    #[test]
    fn what_is_no_bundle_is_not_taken_apart() {
        for text in [
            r#"{"resourceType":"List","entry":[{}]}"#,
            r#"{"entry":[{}],"resourceType":"Bundle"}"#,
            r#"{"resourceType":"Bundle"}"#,
            r#"{"resourceType":"Bundle","entry":{}}"#,
            r#"{"resourceType":"Bun"#,
            "[]",
            "",
        ] {
            assert_eq!(entries_begin(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_bundle_that_breaks_off_says_so_and_too_long_an_entry_is_passed() {
        let begun = r#"{"resourceType":"Bundle","entry":["#;
        assert!(entries(&format!("{begun}{{\"a\":")).unwrap_err().contains("breaks off"));
        assert!(entries(&format!("{begun}{{}}")).unwrap_err().contains("breaks off"));
        assert!(entries(&format!("{begun}{{}}]")).unwrap_err().contains("breaks off"));
        let long = "x".repeat(200);
        let text = format!("{begun}1,\"{long}\",2],\"note\":\"{long}\"}}");
        assert_eq!(entries(&text).unwrap(), ["1", "too long", "2"]);
    }
}
