//! The content of a document: base64 inside a resource, bytes outside.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

/// FHIR's base64: the usual alphabet. Senders disagree about padding, so both ways are read.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes behind FHIR's `base64Binary`, which may have white space in it; `None` if it is not base64.
#[must_use]
pub fn decode(data: &str) -> Option<Vec<u8>> {
    let data = match data.contains(|c: char| c.is_ascii_whitespace()) {
        true => Cow::Owned(data.chars().filter(|c| !c.is_ascii_whitespace()).collect::<String>()),
        false => Cow::Borrowed(data),
    };
    BASE64.decode(data.as_bytes()).ok()
}

#[must_use]
pub fn is_base64(data: &str) -> bool {
    decode(data).is_some()
}
