//! The values of primitive types, by the patterns of R4.

use crate::base64_binary;
use crate::issue::IssueCode;
use crate::json::Node;
use crate::reference::is_id;
use crate::structure::Primitive;
use crate::values::date::{CalendarDate, DateTime, Precision, TimeOfDay};

/// FHIR's bound for strings: 1 MiB of characters.
const LONGEST_TEXT: usize = 1024 * 1024;

/// What is wrong with a value of a primitive type, if anything is.
pub(super) fn check(primitive: Primitive, value: &Node<'_>) -> Result<(), (IssueCode, String)> {
    let expected = match (primitive, value) {
        (Primitive::Boolean, Node::Bool(_)) | (Primitive::Decimal, Node::Number(_)) => return Ok(()),
        (Primitive::Integer | Primitive::PositiveInt | Primitive::UnsignedInt, Node::Number(digits)) => {
            return integer(primitive, digits).map_err(|text| (IssueCode::Value, text.into()));
        }
        (Primitive::Boolean, _) => "a boolean",
        (Primitive::Decimal | Primitive::Integer | Primitive::PositiveInt | Primitive::UnsignedInt, _) => "a number",
        (_, Node::Text(text)) => return checked_text(primitive, text),
        _ => "a string",
    };
    let text = format!("must be {expected} ({}), not {}", primitive.name(), value.sort());
    Err((IssueCode::Structure, text))
}

fn integer(primitive: Primitive, digits: &str) -> Result<(), &'static str> {
    let least = match primitive {
        Primitive::PositiveInt => 1,
        Primitive::UnsignedInt => 0,
        _ => i32::MIN,
    };
    // JSON has no plus sign and no zeros in front; what is left to refuse is -0, a fraction and an exponent.
    let number = digits.parse::<i32>().ok().filter(|number| *number >= least && digits != "-0");
    number.map(drop).ok_or(match primitive {
        Primitive::PositiveInt => "must be a whole number from 1 to 2147483647",
        Primitive::UnsignedInt => "must be a whole number from 0 to 2147483647",
        _ => "must be a whole number of 32 bits",
    })
}

fn checked_text(primitive: Primitive, text: &str) -> Result<(), (IssueCode, String)> {
    if text.is_empty() {
        return Err((IssueCode::Value, "a string must not be empty".into()));
    }
    let (is_good, expected) = match primitive {
        Primitive::Base64Binary => (base64_binary::decode(text).is_some(), "base64"),
        Primitive::Date => (CalendarDate::read(text).is_some(), "a date: YYYY, YYYY-MM or YYYY-MM-DD"),
        Primitive::DateTime => (
            DateTime::read(text).is_some_and(|read| read.is_date_time()),
            "a date, or YYYY-MM-DDThh:mm:ss with a time zone (dateTime)",
        ),
        Primitive::Instant => (
            DateTime::read(text).is_some_and(|read| read.is_instant()),
            "YYYY-MM-DDThh:mm:ss with a time zone (instant)",
        ),
        Primitive::Time => {
            (TimeOfDay::read(text).is_some_and(|time| time.precision != Precision::Minute), "a time: hh:mm:ss")
        }
        Primitive::Code => (is_code(text), "a code: no white space but single spaces inside"),
        Primitive::Id => (is_id(text), "an id: 1 to 64 letters, digits, hyphens and dots"),
        Primitive::Oid => (is_oid(text), "an OID: urn:oid: and numbers with dots between"),
        Primitive::Uuid => (is_uuid(text), "a UUID: urn:uuid: and 36 characters in lower case"),
        Primitive::Uri | Primitive::Url | Primitive::Canonical => {
            (!text.contains(char::is_whitespace), "a URI without white space")
        }
        _ => (is_plain(text), "text without control characters, of at most 1,048,576 characters"),
    };
    if is_good { Ok(()) } else { Err((IssueCode::Value, format!("must be {expected}"))) }
}

fn is_plain(text: &str) -> bool {
    let is_short = text.len() <= LONGEST_TEXT || text.chars().count() <= LONGEST_TEXT;
    is_short && !text.bytes().any(|byte| byte < 32 && !matches!(byte, b'\t' | b'\r' | b'\n'))
}

fn is_code(text: &str) -> bool {
    text.split(char::is_whitespace).all(|word| !word.is_empty())
}

fn is_oid(text: &str) -> bool {
    let Some((root, rest)) = text.strip_prefix("urn:oid:").and_then(|oid| oid.split_once('.')) else { return false };
    let is_number = |arc: &str| {
        !arc.is_empty() && arc.bytes().all(|byte| byte.is_ascii_digit()) && (arc == "0" || !arc.starts_with('0'))
    };
    matches!(root, "0" | "1" | "2") && rest.split('.').all(is_number)
}

fn is_uuid(text: &str) -> bool {
    let Some(uuid) = text.strip_prefix("urn:uuid:") else { return false };
    let is_part = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let lengths = uuid.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && uuid.split('-').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::json::read;
    use crate::structure::Primitive;

    #[test]
    fn values_are_held_to_the_pattern_of_their_type() {
        for (primitive, good, wrong) in [
            (Primitive::Boolean, vec!["true", "false"], vec!["1", "\"true\"", "[]"]),
            (
                Primitive::Integer,
                vec!["0", "-2147483648", "2147483647"],
                vec!["2147483648", "1.0", "1e1", "-0", "\"1\""],
            ),
            (Primitive::UnsignedInt, vec!["0", "1"], vec!["-1", "0.5"]),
            (Primitive::PositiveInt, vec!["1"], vec!["0", "-1"]),
            (Primitive::Decimal, vec!["0", "-1.50", "1e-9", "123456789012345678901234567890.1"], vec!["\"1\"", "true"]),
            (Primitive::Text, vec!["\" \"", "\"a\\nb\""], vec!["\"\"", "\"\\u0001\"", "1", "{}"]),
            (Primitive::Code, vec!["\"a\"", "\"a b\""], vec!["\" a\"", "\"a \"", "\"a  b\""]),
            (Primitive::Id, vec!["\"a-1.B\""], vec!["\"a_b\"", "\"a b\""]),
            (
                Primitive::Oid,
                vec!["\"urn:oid:2.16.0\""],
                vec!["\"urn:oid:3.1\"", "\"urn:oid:1\"", "\"1.2\"", "\"urn:oid:1.02\""],
            ),
            (
                Primitive::Uuid,
                vec!["\"urn:uuid:c757873d-ec9a-4326-a141-556f43239520\""],
                vec![
                    "\"c757873d-ec9a-4326-a141-556f43239520\"",
                    "\"urn:uuid:C757873D-ec9a-4326-a141-556f43239520\"",
                    "\"urn:uuid:1\"",
                ],
            ),
            (Primitive::Uri, vec!["\"urn:x\"", "\"http://a/é\""], vec!["\"a b\"", "\"\""]),
            (Primitive::Base64Binary, vec!["\"aGk=\""], vec!["\"%\""]),
            (Primitive::Date, vec!["\"2024\""], vec!["\"2024-02-30\"", "\"0000\"", "\"2024-01-01T00:00:00Z\"", "2024"]),
            (
                Primitive::DateTime,
                vec!["\"2024\"", "\"2024-01-01T00:00:00Z\""],
                vec!["\"2024-01-01T00:00Z\"", "\"2024-01-01T00:00:00\"", "\"2024-01-01T00:00:00+14:01\""],
            ),
            (Primitive::Instant, vec!["\"2024-01-01T00:00:00+02:00\""], vec!["\"2024-01-01\""]),
            (Primitive::Time, vec!["\"12:00:00\""], vec!["\"12:00\"", "\"12:00:00Z\""]),
        ] {
            for text in good {
                assert_eq!(check(primitive, &read(text).unwrap()), Ok(()), "{primitive:?} {text}");
            }
            for text in wrong {
                assert!(check(primitive, &read(text).unwrap()).is_err(), "{primitive:?} {text}");
            }
        }
        let long = |length: usize| format!("\"{}\"", "é".repeat(length));
        assert!(check(Primitive::Text, &read(&long(1024 * 1024)).unwrap()).is_ok());
        assert!(check(Primitive::Text, &read(&long(1024 * 1024 + 1)).unwrap()).is_err());
    }
}
