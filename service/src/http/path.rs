//! The free parts of a path: what stands where the route's pattern says `{id}`.

use percent_encoding::percent_decode;
use std::borrow::Cow;

/// What stands at `{name}`, decoded; `None` if it is no text.
pub(crate) fn part<'p>(pattern: &str, path: &'p str, name: &str) -> Option<Cow<'p, str>> {
    let is_free =
        |segment: &[u8]| segment.strip_prefix(b"{").and_then(|rest| rest.strip_suffix(b"}")) == Some(name.as_bytes());
    let (_, encoded) = segments(pattern).zip(segments(path)).find(|(segment, _)| is_free(segment))?;
    percent_decode(encoded).decode_utf8().ok()
}

/// Byte by byte, because each segment is too short for a search to pay.
fn segments(path: &str) -> impl Iterator<Item = &[u8]> {
    path.as_bytes().split(|byte| *byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_part_is_found_wherever_it_stands() {
        let part = |name| part("/fhir/{type}/{id}/_history", "/fhir/Patient/a.1/_history", name);
        assert_eq!(part("type").as_deref(), Some("Patient"));
        assert_eq!(part("id").as_deref(), Some("a.1"));
        assert_eq!(part("_history"), None);
    }

    #[test]
    fn a_free_part_is_decoded_once() {
        let id = |path| part("/assets/{name}", path, "name");
        assert_eq!(id("/assets/a%20b%252F").as_deref(), Some("a b%2F"));
        assert_eq!(id("/assets/%FF"), None, "which is no text");
    }
}
