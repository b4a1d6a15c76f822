//! Which of the three formats a patch has: its media type says so, or else its body.

use crate::json::read;
use crate::limits::Shape;
use crate::strict;

/// A format of patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchKind {
    /// RFC 6902.
    JsonPatch,
    /// RFC 7396.
    MergePatch,
    /// FHIR R4, 3.1.0.5.2: a Parameters resource.
    FhirPathPatch,
}

impl PatchKind {
    /// The format of a patch that was sent with this `Content-Type`; `None` for a type that is no JSON. Clients send all three
    /// as plain JSON, so a Parameters resource is FHIRPath Patch and an array is JSON Patch under any name but its own.
    #[must_use]
    pub fn of(content_type: &str, body: &[u8], shape: Shape) -> Option<Self> {
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let own = match media_type.as_str() {
            "application/json-patch+json" => Some(Self::JsonPatch),
            "application/merge-patch+json" => Some(Self::MergePatch),
            "application/json" | "application/fhir+json" | "text/json" => None,
            _ => return None,
        };
        let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
        Some(match (own, first) {
            (_, Some(b'{')) if is_parameters(body, shape) => Self::FhirPathPatch,
            (Some(own), _) => own,
            (None, Some(b'[')) => Self::JsonPatch,
            (None, _) => Self::MergePatch,
        })
    }
}

fn is_parameters(body: &[u8], shape: Shape) -> bool {
    let text = str::from_utf8(body).ok().and_then(|text| strict::compact(text, shape).ok());
    let named = |text: &str| read(text)?.get("resourceType")?.text().map(|name| name == "Parameters");
    text.as_deref().and_then(named).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::PatchKind;
    use crate::limits::Shape;

    fn kind(content_type: &str, body: &str) -> Option<PatchKind> {
        PatchKind::of(content_type, body.as_bytes(), Shape { depth: 64, values: 1000 })
    }

    #[test]
    fn the_media_type_says_which_format_it_is() {
        assert_eq!(kind("application/json-patch+json", "[]"), Some(PatchKind::JsonPatch));
        assert_eq!(kind("Application/JSON-Patch+json; charset=utf-8", "{}"), Some(PatchKind::JsonPatch));
        assert_eq!(kind("application/merge-patch+json", "{}"), Some(PatchKind::MergePatch));
        assert_eq!(kind("application/merge-patch+json", "[]"), Some(PatchKind::MergePatch));
    }

    #[test]
    fn under_plain_json_the_body_says_it() {
        for plain in ["application/json", "application/fhir+json;fhirVersion=4.0"] {
            assert_eq!(kind(plain, " \n[]"), Some(PatchKind::JsonPatch));
            assert_eq!(kind(plain, r#"{"active":true}"#), Some(PatchKind::MergePatch));
            assert_eq!(kind(plain, "what is this"), Some(PatchKind::MergePatch));
        }
    }

    #[test]
    fn parameters_are_a_fhirpath_patch_under_any_type_of_json() {
        let body = r#" {"parameter":[], "resourceType" : "Parameters"}"#;
        for media_type in
            ["application/json", "application/fhir+json", "application/json-patch+json", "application/merge-patch+json"]
        {
            assert_eq!(kind(media_type, body), Some(PatchKind::FhirPathPatch), "{media_type}");
        }
    }

    #[test]
    fn what_is_no_json_is_no_patch() {
        for media_type in ["application/fhir+xml", "text/plain", "", "application/octet-stream"] {
            assert_eq!(kind(media_type, "[]"), None, "{media_type}");
        }
    }
}
