//! The bodies that take most to read for their length: values of a byte, deep nesting, long strings full of escapes, Bundles of
//! very many entries. Each is a shape that has once taken many times its length.

use bytes::Bytes;
use rules::limits::{API_BODY_BYTES, BUNDLE_ENTRIES};

/// The longest that is sent: a little less than is allowed; and in a smoke run.
const LONGEST: usize = API_BODY_BYTES - 1024;
const SHORT: usize = 256 * 1024;

const OBSERVATION: &str = r#"{"resourceType":"Observation","#;
const VALID: &str = r#"{"resourceType":"Observation","status":"final","code":{"text":"x"},"#;
const EXTENSION: &str = r#"{"url":"a","valueCode":"b"}"#;

/// Each with the path that it is sent to.
pub(crate) fn all(quick: bool) -> Vec<(&'static str, Bytes)> {
    let length = if quick { SHORT } else { LONGEST };
    let create = |body: String| ("/fhir/Observation", Bytes::from(body));
    let validate = |body: String| ("/fhir/Observation/$validate", Bytes::from(body));
    let exchange = |body: String| ("/fhir", Bytes::from(body));
    let extensions = format!("{OBSERVATION}\"extension\":[");
    let valid_extensions = format!("{VALID}\"extension\":[");
    let entries = if quick { BUNDLE_ENTRIES / 50 } else { BUNDLE_ENTRIES };
    let tiny = filled(&extensions, "1", "]}", length);
    vec![
        create(tiny.clone()),
        validate(tiny),
        create(filled(&extensions, "[[]]", "]}", length)),
        create(filled(&extensions, "{}", "]}", length)),
        create(filled(&valid_extensions, EXTENSION, "]}", length)),
        create(filled(&valid_extensions, EXTENSION, "]}", length / 12)),
        validate(codes(length / 220)),
        create("[".repeat(length)),
        create(filled(&format!("{}[", r#"{"a":"#.repeat(40)), &deep(20), &format!("]{}", "}".repeat(40)), length)),
        create(format!("{OBSERVATION}\"x\":\"{}\"}}", "\\u0041".repeat(length / 6 - 10))),
        create(format!("{VALID}\"note\":[{{\"text\":\"{}\"}}]}}", "\\n\\\"".repeat(length / 4 - 100))),
        create(filled(OBSERVATION, "\"a\":1", "}", length)),
        exchange(bundle(&codes(20), entries)),
        exchange(bundle(&codes(140), entries)),
        exchange(bundle(&format!("{VALID}\"note\":[{{\"text\":\"{}\"}}]}}", "x".repeat(1800)), entries)),
        exchange(filled(r#"{"resourceType":"Bundle","type":"batch","entry":["#, "{}", "]}", length)),
    ]
}

/// A text that begins and ends like this, with as many pieces between as there is room for.
fn filled(begins: &str, piece: &str, ends: &str, length: usize) -> String {
    let count = length.saturating_sub(begins.len() + ends.len()) / (piece.len() + 1);
    [begins, &vec![piece; count].join(","), ends].concat()
}

fn deep(levels: usize) -> String {
    ["[".repeat(levels), "]".repeat(levels)].concat()
}

/// An Observation of so many codes.
fn codes(count: usize) -> String {
    format!("{VALID}\"category\":[{{\"coding\":[{}]}}]}}", vec![r#"{"code":"a"}"#; count].join(","))
}

fn bundle(resource: &str, entries: usize) -> String {
    let entry = format!(r#"{{"request":{{"method":"POST","url":"Observation"}},"resource":{resource}}}"#);
    format!(r#"{{"resourceType":"Bundle","type":"transaction","entry":[{}]}}"#, vec![entry; entries].join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filled_text_is_as_long_as_there_is_room() {
        assert_eq!(filled("[", "1", "]", 9), "[1,1,1]");
        assert_eq!(filled("[", "1", "]", 2), "[]");
    }

    #[test]
    fn no_shape_is_longer_than_a_body_may_be() {
        assert!(all(true).iter().chain(&all(false)).all(|(_, body)| body.len() <= API_BODY_BYTES));
    }
}
