//! Which bytes of a content a request asks for (RFC 9110, 14): one range of them, or the whole.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, header};
use std::ops::Range;

/// What of a content is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    Whole,
    Part(Range<u64>),
    /// A range that the content does not reach.
    Beyond,
}

/// What a request selects of a content of this length. What is no single range of bytes is passed over, as is a range
/// that is asked for only if the content is still the version that the caller has a part of, and is not.
pub(super) fn selection(head: &Parts, length: u64, version: Option<i64>) -> Selection {
    let ranges = only(&head.headers, &header::RANGE).and_then(|range| range.strip_prefix("bytes="));
    match ranges {
        Some(range) if head.method == Method::GET && is_current(&head.headers, version) => {
            single(range.trim(), length).unwrap_or(Selection::Whole)
        }
        _ => Selection::Whole,
    }
}

/// Whether `If-Range`, if there is one, names this version. A moment names none: two versions may have the same second.
fn is_current(headers: &HeaderMap, version: Option<i64>) -> bool {
    if !headers.contains_key(header::IF_RANGE) {
        return true;
    }
    let tag = version.map(|version| format!("\"{version}\""));
    let named = only(headers, &header::IF_RANGE).map(|named| named.strip_prefix("W/").unwrap_or(named));
    named.is_some() && named == tag.as_deref()
}

/// `first-last`, `first-` or `-count`.
fn single(range: &str, length: u64) -> Option<Selection> {
    let (first, last) = range.split_once('-')?;
    let selected = match (first, last) {
        ("", count) => length.saturating_sub(number(count)?)..length,
        (first, "") => number(first)?..length,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            first..last.saturating_add(1).min(length)
        }
    };
    Some(if selected.is_empty() { Selection::Beyond } else { Selection::Part(selected) })
}

/// A number of digits alone. One that is too large to be read is beyond everything.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// The only header of this name.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(first.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn selected(headers: &[(&str, &str)]) -> Selection {
        let mut request = Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        selection(&request.body(()).unwrap().into_parts().0, 10, Some(3))
    }

    #[test]
    fn a_range_is_what_rfc_9110_says() {
        for (range, expected) in [
            ("bytes=0-3", Selection::Part(0..4)),
            ("bytes=4-", Selection::Part(4..10)),
            ("bytes=-3", Selection::Part(7..10)),
            ("bytes=-30", Selection::Part(0..10)),
            ("bytes=9-99999999999999999999", Selection::Part(9..10)),
            ("bytes=10-", Selection::Beyond),
            ("bytes=99999999999999999999-", Selection::Beyond),
            ("bytes=-0", Selection::Beyond),
            ("bytes=3-2", Selection::Whole),
            ("bytes=0-1,4-5", Selection::Whole),
            ("bytes=-", Selection::Whole),
            ("bytes=+1-2", Selection::Whole),
            ("lines=0-3", Selection::Whole),
        ] {
            assert_eq!(selected(&[("range", range)]), expected, "{range}");
        }
        assert_eq!(selected(&[("range", "bytes=0-1"), ("range", "bytes=2-3")]), Selection::Whole);
    }

    #[test]
    fn a_range_of_another_version_is_the_whole() {
        let range = ("range", "bytes=4-");
        for (named, expected) in [
            ("\"3\"", Selection::Part(4..10)),
            ("W/\"3\"", Selection::Part(4..10)),
            ("\"2\"", Selection::Whole),
            ("3", Selection::Whole),
            ("Fri, 15 Jan 2027 08:00:00 GMT", Selection::Whole),
        ] {
            assert_eq!(selected(&[range, ("if-range", named)]), expected, "{named}");
        }
        let twice = [range, ("if-range", "\"3\""), ("if-range", "\"3\"")];
        assert_eq!(selected(&twice), Selection::Whole);
    }

    #[test]
    fn head_has_no_ranges() {
        let request = Request::builder().method("HEAD").header("range", "bytes=0-1").body(()).unwrap();
        assert_eq!(selection(&request.into_parts().0, 10, None), Selection::Whole);
    }
}
