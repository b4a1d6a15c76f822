//! FHIR's `base64Binary`: bytes inside a resource.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

/// The usual alphabet. Senders disagree about padding, so both ways are read.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes behind the text, which may have white space in it; `None` if it is not base64.
#[must_use]
pub fn decode(data: &str) -> Option<Vec<u8>> {
    let data = match data.contains(|c: char| c.is_ascii_whitespace()) {
        true => Cow::Owned(data.chars().filter(|c| !c.is_ascii_whitespace()).collect::<String>()),
        false => Cow::Borrowed(data),
    };
    BASE64.decode(data.as_bytes()).ok()
}

/// The text of these bytes. That of a whole is that of its parts, if all but the last have a multiple of three bytes.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// How long that text is.
#[must_use]
pub const fn encoded_length(bytes: u64) -> u64 {
    bytes.div_ceil(3) * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_and_white_space_do_not_matter() {
        for text in ["aGk=", "aGk", " aG\r\nk= "] {
            assert_eq!(decode(text).as_deref(), Some(b"hi".as_slice()), "{text:?}");
        }
    }

    #[test]
    fn the_text_of_bytes_is_padded_and_as_long_as_was_said() {
        for (bytes, text) in [("", ""), ("h", "aA=="), ("hi", "aGk="), ("hi!", "aGkh")] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(encoded_length(bytes.len() as u64), text.len() as u64);
        }
    }

    #[test]
    fn what_is_not_base64_is_no_bytes() {
        for text in ["%", "aGk-", "a"] {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }
}
