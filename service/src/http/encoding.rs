//! Parameters as URLs and forms encode them. What is no UTF-8 is refused, never replaced: two texts that differ must not be
//! read as one.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};
use std::borrow::Cow;

/// What is encoded in a part of a path: all but what RFC 3986 reserves for nothing.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A parameter that is no text, by what can be read of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotText(pub String);

/// A parameter's name and value.
pub type Pair<'e> = (Cow<'e, str>, Cow<'e, str>);

/// The parameters of a query or a form, decoded, in the order they came.
pub fn pairs(encoded: &[u8]) -> Result<Vec<Pair<'_>>, NotText> {
    let pairs = encoded.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty());
    pairs.map(pair).collect()
}

fn pair(pair: &[u8]) -> Result<Pair<'_>, NotText> {
    let mut parts = pair.splitn(2, |byte| *byte == b'=');
    let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match (text(name), text(value)) {
        (Some(name), Some(value)) => Ok((name, value)),
        (name, _) => Err(NotText(name.map_or_else(|| String::from_utf8_lossy(pair).into_owned(), Cow::into_owned))),
    }
}

/// Parameters as the query of a link.
pub fn query<'p>(pairs: impl Iterator<Item = (&'p str, &'p str)>) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// One part of a path, whatever is in it.
#[must_use]
pub fn segment(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// One name or value, decoded; `None` if it is no text.
#[must_use]
pub fn text(encoded: &[u8]) -> Option<Cow<'_, str>> {
    if !encoded.iter().any(|byte| matches!(byte, b'%' | b'+')) {
        return std::str::from_utf8(encoded).ok().map(Cow::Borrowed);
    }
    let spaced: Vec<u8> = encoded.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    String::from_utf8(percent_decode(&spaced).collect()).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Without letters that a lone `%` would make a byte of: that may be no text.
        #[test]
        fn what_is_text_is_read_as_everybody_reads_it(sent in "([g-zé=&+]|%C3%A9|%20|%zz|%){0,12}") {
            let expected: Vec<_> = form_urlencoded::parse(sent.as_bytes()).collect();
            prop_assert_eq!(pairs(sent.as_bytes()), Ok(expected));
        }
    }

    #[test]
    fn what_is_no_text_is_refused_and_named() {
        for (sent, named) in [
            (&b"state=%FF"[..], "state"),
            (b"state=\xFF", "state"),
            (b"a=b&st%61te=%C3", "state"),
            (b"state=%ED%A0%80", "state"),
            (b"%FF=a", "%FF=a"),
            (b"\xFF=a", "\u{fffd}=a"),
        ] {
            assert_eq!(pairs(sent), Err(NotText(named.into())), "{sent:?}");
        }
    }
}
