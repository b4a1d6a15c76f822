//! A file as an app sends it, by itself or as a part of a body: its bytes, what they are and what it is called.

use crate::formats::accept::AcceptItem;
use rules::limits::{FILE_NAME_BYTES, TOKEN_BYTES};
use rules::rest_faults::ValueFault;

/// The media type of what nobody said the type of.
const OCTETS: &str = "application/octet-stream";

/// A file that was sent.
#[derive(Debug)]
pub(crate) struct SentFile {
    pub name: Option<String>,
    pub media_type: String,
    pub bytes: Vec<u8>,
}

/// The media type that was said, as FHIR writes it; none where it is none.
pub(crate) fn media_type(said: Option<&str>) -> Option<String> {
    let Some(said) = said else { return Some(OCTETS.into()) };
    let plain = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let (kind, subtype) = AcceptItem::of(&plain).name().split_once('/')?;
    let is_token = |part: &str| {
        let is_of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte);
        !part.is_empty() && part.bytes().all(is_of_token)
    };
    let is_one = is_token(kind) && is_token(subtype) && plain.len() <= TOKEN_BYTES;
    (is_one && !plain.contains(char::is_control)).then_some(plain)
}

/// The name that was said, without the folders before it, or what is wrong with it.
pub(crate) fn name(said: &str) -> Result<Option<String>, ValueFault<'static>> {
    let name = said.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    if name.contains(char::is_control) {
        return Err(ValueFault::NotText);
    }
    if name.len() > FILE_NAME_BYTES {
        return Err(ValueFault::TooLong(FILE_NAME_BYTES));
    }
    Ok((!name.is_empty()).then(|| name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_type_is_taken_as_fhir_writes_it_or_not_at_all() {
        assert_eq!(media_type(None).as_deref(), Some("application/octet-stream"));
        assert_eq!(media_type(Some(" text/plain;  charset=utf-8")).as_deref(), Some("text/plain; charset=utf-8"));
        for wrong in ["", "pdf", "/", "text/", "te xt/plain", "text/pl\u{e4}in", "\u{1}/a"] {
            assert_eq!(media_type(Some(wrong)), None, "{wrong}");
        }
        assert_eq!(media_type(Some(&format!("text/{}", "x".repeat(TOKEN_BYTES)))), None);
    }

    #[test]
    fn a_name_is_without_its_folders_and_bounded() {
        assert_eq!(name("C:\\letters\\scan.pdf"), Ok(Some("scan.pdf".into())));
        assert_eq!(name("../../etc/passwd"), Ok(Some("passwd".into())));
        assert_eq!(name(" "), Ok(None));
        assert_eq!(name("a\r\nb: c"), Err(ValueFault::NotText));
        assert_eq!(name(&"x".repeat(FILE_NAME_BYTES + 1)), Err(ValueFault::TooLong(FILE_NAME_BYTES)));
    }
}
