//! JSON, read strictly: no member twice, no nesting without end, no character that a database cannot hold.

use crate::fault::Fault;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Checks `json` and gives it without the white space between its parts. Everything else stays as it was written:
/// the order of members, the spelling of numbers and strings. `depth` is how many levels it may be nested.
pub fn compact(json: &str, depth: usize) -> Result<String, Fault> {
    let json = json.trim_start_matches('\u{feff}');
    let mut reader = serde_json::Deserializer::from_str(json);
    let checked = Walk { depth, levels_left: depth }.deserialize(&mut reader).and_then(|()| reader.end());
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
struct Walk {
    depth: usize,
    levels_left: usize,
}

impl Walk {
    fn below<E: Error>(self) -> Result<Self, E> {
        match self.levels_left.checked_sub(1) {
            Some(levels_left) => Ok(Self { levels_left, ..self }),
            None => Err(E::custom(format_args!("it is nested more than {} levels deep", self.depth))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk {
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
        while let Some(name) = members.next_key::<String>()? {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DEPTH: usize = 64;

    fn refusal(json: &str) -> String {
        compact(json, DEPTH).expect_err(json).to_string()
    }

    #[test]
    fn white_space_goes_and_everything_else_stays() {
        let json = "{ \"a\" : [ 1.0 , 1e2,\"x \\\" y\\\\\" ],\r\n\t\"b\":{ } }";
        assert_eq!(compact(json, DEPTH).unwrap(), r#"{"a":[1.0,1e2,"x \" y\\"],"b":{}}"#);
    }

    #[test]
    fn a_member_may_not_be_there_twice_however_it_is_spelt() {
        assert!(refusal(r#"{"a":1,"b":{"c":1,"\u0063":2}}"#).contains("\"c\" is there twice"));
    }

    #[test]
    fn nesting_has_an_end() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(compact(&nested(DEPTH), DEPTH).is_ok());
        assert!(refusal(&nested(DEPTH + 1)).contains("levels deep"));
        assert!(refusal(&"[".repeat(1_000_000)).contains("levels deep"));
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
            if let Ok(once) = compact(&text, DEPTH) {
                let before: serde_json::Value = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(before, serde_json::from_str::<serde_json::Value>(&once).unwrap());
                prop_assert_eq!(&compact(&once, DEPTH).unwrap(), &once);
            }
        }
    }
}
