//! The name under which a browser saves a document: the sender's title, made safe for any file system.

use axum::http::HeaderValue;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const MOST_CHARACTERS: usize = 100;
const UNTITLED: &str = "document";
/// What RFC 8187 leaves unencoded.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');
/// The ending that tells a computer what the usual media types are.
const ENDINGS: [(&str, &str); 9] = [
    ("application/pdf", ".pdf"),
    ("application/json", ".json"),
    ("application/rtf", ".rtf"),
    ("application/xml", ".xml"),
    ("image/jpeg", ".jpg"),
    ("image/png", ".png"),
    ("image/tiff", ".tiff"),
    ("text/html", ".html"),
    ("text/plain", ".txt"),
];

/// `Content-Disposition: attachment` with the name, in ASCII and, where that loses something, in full.
pub(super) fn disposition(title: Option<&str>, media_type: Option<&str>) -> HeaderValue {
    let name = safe(title.unwrap_or_default(), media_type);
    let ascii: String = name.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect();
    let mut text = format!("attachment; filename=\"{ascii}\"");
    if ascii != name {
        text.push_str(&format!("; filename*=UTF-8''{}", utf8_percent_encode(&name, ENCODED)));
    }
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("attachment"))
}

fn safe(title: &str, media_type: Option<&str>) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.') { c } else { '_' };
    let name: String = title.chars().take(MOST_CHARACTERS).map(plain).collect();
    // A leading dot would hide the file.
    let name = name.trim_start_matches(['.', ' ']).trim_end_matches(['.', ' ']);
    let name = if name.is_empty() { UNTITLED } else { name };
    let essence = media_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let ending = ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(essence)).map_or("", |(_, ending)| ending);
    if name.to_lowercase().ends_with(ending) { name.into() } else { format!("{name}{ending}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(title: &str, media_type: &str) -> String {
        disposition(Some(title), Some(media_type)).to_str().unwrap().to_owned()
    }

    #[test]
    fn a_title_becomes_a_name_with_the_ending_of_its_type() {
        assert_eq!(named("Clinic letter", "application/pdf"), r#"attachment; filename="Clinic letter.pdf""#);
        assert_eq!(named("scan.PNG", "image/png"), r#"attachment; filename="scan.PNG""#);
        assert_eq!(named("notes", "text/plain; charset=utf-8"), r#"attachment; filename="notes.txt""#);
        assert_eq!(named("", "x/y"), r#"attachment; filename="document""#);
    }

    #[test]
    fn a_title_cannot_leave_its_quotes_or_its_folder() {
        assert_eq!(named("../../a\"; x=\"\r\nb", "x/y"), r#"attachment; filename="_.._a__ x____b""#);
        assert_eq!(named("...", "x/y"), r#"attachment; filename="document""#);
    }

    #[test]
    fn other_letters_are_kept_beside_an_ascii_name() {
        assert_eq!(
            named("Überweisung", "x/y"),
            "attachment; filename=\"_berweisung\"; filename*=UTF-8''%C3%9Cberweisung"
        );
    }
}
