//! JSON, read strictly: no member twice, no nesting and no values without end, no character that a database cannot hold.

use crate::fault::Fault;
use crate::limits::Shape;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

/// Checks `json` and gives it without the white space between its parts. Everything else stays as it was written:
/// the order of members, the spelling of numbers and strings. A text of another shape than it may have is refused as it is
/// read: nothing is kept of it but the names of the members of the objects that are being read.
pub fn compact(json: &str, shape: Shape) -> Result<String, Fault> {
    let json = json.trim_start_matches('\u{feff}');
    let mut reader = serde_json::Deserializer::from_str(json);
    let values_left = Cell::new(shape.values);
    let walk = Walk { shape, levels_left: shape.depth, values_left: &values_left };
    let checked = walk.deserialize(&mut reader).and_then(|()| reader.end());
    checked.map_err(|error| Fault::NotJson(format!("the JSON cannot be read: {error}")))?;
    Ok(without_white_space(json))
}

/// Only for JSON that was checked: in other text, taking white space away could join what was apart.
fn without_white_space(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let mut text = String::with_capacity(json.len());
    text.extend(json.chars().filter(|c| {
        if in_string {
            in_string = escaped || *c != '"';
            escaped = !escaped && *c == '\\';
            return true;
        }
        in_string = *c == '"';
        !matches!(c, ' ' | '\t' | '\r' | '\n')
    }));
    text
}

/// Visits every value and keeps none.
#[derive(Clone, Copy)]
struct Walk<'w> {
    shape: Shape,
    levels_left: usize,
    values_left: &'w Cell<usize>,
}

impl Walk<'_> {
    fn below<E: Error>(self) -> Result<Self, E> {
        match self.levels_left.checked_sub(1) {
            Some(levels_left) => Ok(Self { levels_left, ..self }),
            None => Err(E::custom(format_args!("it is nested more than {} levels deep", self.shape.depth))),
        }
    }

    fn count<E: Error>(self) -> Result<(), E> {
        let Some(left) = self.values_left.get().checked_sub(1) else {
            return Err(E::custom(format_args!("it has more than {} values", self.shape.values)));
        };
        self.values_left.set(left);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        self.count()?;
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if text.contains('\0') { Err(E::custom("a string holds the character U+0000")) } else { Ok(()) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let below = self.below()?;
        while items.next_element_seed(below)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let below = self.below()?;
        let mut names = HashSet::new();
        while let Some(name) = members.next_key_seed(Name)? {
            below.visit_str(&name)?;
            members.next_value_seed(below)?;
            if let Some(twice) = names.replace(name) {
                let shown: String = twice.chars().take(40).collect();
                return Err(A::Error::custom(format_args!("the member {shown:?} is there twice")));
            }
        }
        Ok(())
    }
}

/// The name of a member: lent from the text where it has no escapes, so that very many names take little.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Cow<'de, str>, D::Error> {
        reader.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DEPTH: usize = 64;
    const SHAPE: Shape = Shape { depth: DEPTH, values: 100 };

    fn refusal(json: &str) -> String {
        compact(json, SHAPE).expect_err(json).to_string()
    }

    #[test]
    fn white_space_goes_and_everything_else_stays() {
        let json = "{ \"a\" : [ 1.0 , 1e2,\"x \\\" y\\\\\" ],\r\n\t\"b\":{ } }";
        assert_eq!(compact(json, SHAPE).unwrap(), r#"{"a":[1.0,1e2,"x \" y\\"],"b":{}}"#);
    }

    #[test]
    fn a_member_may_not_be_there_twice_however_it_is_spelt() {
        assert!(refusal(r#"{"a":1,"b":{"c":1,"\u0063":2}}"#).contains("\"c\" is there twice"));
    }

    #[test]
    fn nesting_has_an_end() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(compact(&nested(DEPTH), SHAPE).is_ok());
        assert!(refusal(&nested(DEPTH + 1)).contains("levels deep"));
        assert!(refusal(&"[".repeat(1_000_000)).contains("levels deep"));
    }

    #[test]
    fn values_have_an_end_whatever_they_are_and_wherever_they_stand() {
        let shaped = |json: &str, values| compact(json, Shape { depth: DEPTH, values });
        for (json, values) in [
            ("1", 1),
            ("[1,1,1]", 4),
            (r#"{"a":1,"b":[true,null],"c":{"d":"x"}}"#, 7),
            ("[[],[],{}]", 4),
            (r#"[" \" , "]"#, 2),
        ] {
            assert!(shaped(json, values).is_ok(), "{json}");
            let refused = shaped(json, values - 1).expect_err(json).to_string();
            assert!(refused.contains(&format!("more than {} values", values - 1)), "{refused}");
        }
    }

    #[test]
    fn values_without_end_are_refused_before_the_text_has_one() {
        // What comes behind the last value that may be there is not looked at.
        assert!(refusal(&format!("[{}", "1,".repeat(1_000_000))).contains("more than 100 values"));
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in ["", "{", "1 2", "{\"a\":1}x", "nul", "\"\\ud800\"", "\"\\u0000\"", "[1,]", "'a'"] {
            refusal(text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_compacted_or_refused_and_compacting_changes_no_value(text in "[\\[\\]{}\",:0-9a-z\\\\ \n.-]{0,40}") {
            if let Ok(once) = compact(&text, SHAPE) {
                let before: serde_json::Value = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(before, serde_json::from_str::<serde_json::Value>(&once).unwrap());
                prop_assert_eq!(&compact(&once, SHAPE).unwrap(), &once);
            }
        }
    }
}
