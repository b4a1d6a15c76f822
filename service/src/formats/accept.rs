//! What a client takes, as `Accept` and `Accept-Encoding` list it (RFC 9110, 12.4 and 12.5): names in any case, with parameters
//! and a weight. A weight of 0 is a refusal, and so is one that cannot be read.

use axum::http::{HeaderMap, HeaderName};

/// The weight of what has none: as much as can be.
const FULL_WEIGHT: u32 = 1000;

/// One of the things that a header lists: a media range or a content coding, with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct AcceptItem<'h>(&'h str);

/// All that the headers of this name list; in no order, because what is more specific goes first, wherever it is.
pub fn items(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = AcceptItem<'_>> {
    members(headers, name).map(AcceptItem)
}

/// The members of a list in all headers of this name, which commas divide. An empty one is none.
pub fn members(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| unquoted(value, ',')).map(str::trim).filter(|member| !member.is_empty())
}

/// Whether something is taken by its name; `None` where it is not named.
pub fn takes<'h>(items: impl Iterator<Item = AcceptItem<'h>>, name: &str) -> Option<bool> {
    weight(items, name).map(|weight| weight > 0)
}

/// How much something is wanted, by its name; `None` where it is not named.
pub fn weight<'h>(items: impl Iterator<Item = AcceptItem<'h>>, name: &str) -> Option<u32> {
    items.filter(|item| item.is(name)).map(AcceptItem::weight).max()
}

impl<'h> AcceptItem<'h> {
    /// A media type, or what stands for one, with its parameters.
    #[must_use]
    pub const fn of(text: &'h str) -> Self {
        Self(text)
    }

    #[must_use]
    pub fn is(self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name)
    }

    /// Its name, without parameters.
    #[must_use]
    pub fn name(self) -> &'h str {
        self.0.split(';').next().unwrap_or_default().trim()
    }

    /// The values of a parameter, as they are without quotes.
    pub fn parameter(self, name: &str) -> impl Iterator<Item = &'h str> {
        let named = unquoted(self.0, ';').skip(1).filter_map(|parameter| parameter.split_once('='));
        let named = named.filter(move |(known, _)| known.trim().eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.trim().trim_matches('"'))
    }

    /// How much it is wanted, in thousandths; 1000 without a weight, 0 where it cannot be read.
    #[must_use]
    pub fn weight(self) -> u32 {
        let Some(weight) = self.parameter("q").next() else { return FULL_WEIGHT };
        let (whole, fraction) = weight.split_once('.').unwrap_or((weight, ""));
        let is_weight = matches!(whole, "0" | "1") && fraction.bytes().all(|byte| byte.is_ascii_digit());
        match whole {
            _ if !is_weight => 0,
            "1" => FULL_WEIGHT,
            _ => fraction.bytes().chain(*b"000").take(3).fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')),
        }
    }
}

/// A text divided where this is outside of quotes.
fn unquoted(text: &str, divider: char) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |character| {
        let is_plain = !std::mem::take(&mut is_escaped);
        match character {
            '\\' if is_quoted && is_plain => is_escaped = true,
            '"' if is_plain => is_quoted = !is_quoted,
            _ => return !is_quoted && character == divider,
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::ACCEPT;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (ACCEPT, value.parse().unwrap())).collect()
    }

    #[test]
    fn what_is_named_is_taken_unless_its_weight_is_nothing() {
        let taken = |values: &[&str], name: &str| takes(items(&headers(values), ACCEPT), name);
        for text in ["text/a", "TEXT/A", "text/a;q=1", "text/a; Q=0.001", "text/b;q=0, text/a", "text/a;v=\";q=0\""] {
            assert_eq!(taken(&[text], "text/a"), Some(true), "{text}");
        }
        for text in
            ["text/a;q=0", "Text/A ; q=0.000", "text/a;q=x", "text/a;q=", "text/a;q=-1", "text/a;q=2", "text/a;q=nan"]
        {
            assert_eq!(taken(&[text], "text/a"), Some(false), "{text}");
        }
        for text in ["", " , ,", "text/b", "*/*", "text/b;v=\",text/a\"", "text/b;v=\"\\\",text/a\""] {
            assert_eq!(taken(&[text], "text/a"), None, "{text}");
        }
        assert_eq!(taken(&["text/b", "text/a;q=0"], "text/a"), Some(false));
        assert_eq!(taken(&["text/a;q=0", "text/b, text/a;q=0.5"], "text/a"), Some(true), "one of two is enough");
        assert_eq!(taken(&[], "text/a"), None);
    }

    #[test]
    fn a_weight_is_read_to_the_thousandth() {
        let weight = |text| weight(items(&headers(&[text]), ACCEPT), "a/b");
        for (text, expected) in [
            ("a/b", 1000),
            ("a/b;q=1.0", 1000),
            ("a/b;q=0.5", 500),
            ("a/b;q=0.123", 123),
            ("a/b;q=0.", 0),
            ("a/b;q=0.2, c/d, a/b;q=0.3", 300),
            ("a/b;q=7", 0),
        ] {
            assert_eq!(weight(text), Some(expected), "{text}");
        }
        assert_eq!(weight("c/d"), None);
    }

    #[test]
    fn a_parameter_is_known_in_any_case_and_with_quotes() {
        let versions = |text| AcceptItem::of(text).parameter("fhirVersion").collect::<Vec<_>>();
        assert_eq!(versions("a/b; FHIRVERSION=\"4.0\";x=1; fhirVersion = 3.0"), ["4.0", "3.0"]);
        assert!(versions("a/b;x=\"fhirVersion=4.0;fhirVersion=4.0\"").is_empty());
    }
}
