//! References between resources: `Type/id`, relative or under our own base URL, with or without a version.

use crate::types::{self, ResourceType};

/// Whether `text` can be the id of a resource: 1 to 64 letters, digits, hyphens and dots.
#[must_use]
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
}

/// The id that a reference to one of our resources of this type names; `None` for a reference to anything else. `base`
/// is our FHIR base URL without a slash at its end: what any other server has under the same id is not ours.
#[must_use]
pub fn id_in<'a>(reference: &'a str, resource_type: ResourceType, base: &str) -> Option<&'a str> {
    let relative = reference.strip_prefix(base).and_then(|rest| rest.strip_prefix('/')).unwrap_or(reference);
    let rest = relative.strip_prefix(resource_type.name())?.strip_prefix('/')?;
    let (id, version) = rest.split_once("/_history/").map_or((rest, None), |(id, version)| (id, Some(version)));
    (is_id(id) && version.is_none_or(is_id)).then_some(id)
}

/// Whether a reference is one that R4 has: `Type/id` with or without a version, an absolute URL, a `urn:`, or `#id` of what is
/// contained. Anything else would be stored and lead nowhere.
#[must_use]
pub fn is_literal(reference: &str) -> bool {
    if reference.starts_with('#') {
        return true;
    }
    if reference.contains(char::is_whitespace) {
        return false;
    }
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    };
    match reference.split_once(':') {
        Some(("urn", rest)) => !rest.is_empty(),
        Some((scheme, rest)) if is_scheme(scheme) => rest.strip_prefix("//").is_some_and(|host| !host.is_empty()),
        _ => {
            let name = reference.split_once('/').map_or("", |(name, _)| name);
            types::named(name).is_some_and(|of| id_in(reference, of, "").is_some())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://records.example/fhir";

    fn patient(reference: &str) -> Option<&str> {
        id_in(reference, ResourceType::Patient, BASE)
    }

    #[test]
    fn a_reference_names_an_id_of_its_type_only() {
        assert_eq!(patient("Patient/amina-1"), Some("amina-1"));
        assert_eq!(patient("Patient/amina-1/_history/3"), Some("amina-1"));
        for other in [
            "Group/amina-1",
            "OutPatient/amina-1",
            "PatientPatient/1",
            "x/Patient/1",
            "/Patient/1",
            "Patient/",
            "Patient/a b",
            "Patient/a/_history/",
            "Patient/a/_history/1/2",
            "Patient/a/b",
            "#Patient",
            "Patient",
            "",
        ] {
            assert_eq!(patient(other), None, "{other}");
        }
    }

    #[test]
    fn an_absolute_reference_counts_only_under_our_own_base() {
        assert_eq!(patient("https://records.example/fhir/Patient/a.b"), Some("a.b"));
        assert_eq!(patient("https://records.example/fhir/Patient/a/_history/2"), Some("a"));
        for foreign in [
            "https://other.example/fhir/Patient/a",
            "http://records.example/fhir/Patient/a",
            "https://records.example/Patient/a",
            "https://records.example/fhirPatient/a",
            "https://records.example/fhir/x/Patient/a",
            "https://records.example/fhir.other.example/Patient/a",
            "https://records.example/fhir/Group/a",
            "urn:uuid:Patient/a",
        ] {
            assert_eq!(patient(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_literal_reference_is_of_a_form_that_r4_has() {
        for good in [
            "Patient/amina",
            "Patient/amina/_history/2",
            "https://other.example/anything",
            "http://x/Patient/1",
            "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a",
            "urn:oid:1.2",
            "#p",
            "#",
            "ftp://x/y",
        ] {
            assert!(is_literal(good), "{good}");
        }
        for bad in [
            "",
            "amina-okafor",
            "patient/amina",
            "Pateint/amina",
            "/Patient/amina",
            "Patient/amina ",
            " Patient/amina",
            "Patient/",
            "Patient/a/b",
            "Patient/a/_history/",
            "Patient?identifier=x",
            "Patient:1",
            "urn:",
            "https://",
            "https://x/ y",
            "1x://y",
        ] {
            assert!(!is_literal(bad), "{bad}");
        }
    }

    #[test]
    fn an_id_has_1_to_64_letters_digits_hyphens_and_dots() {
        assert!(is_id("a") && is_id("A-1.b") && is_id(&"x".repeat(64)));
        assert!(!is_id("") && !is_id("a_b") && !is_id("é") && !is_id(&"x".repeat(65)));
    }
}
