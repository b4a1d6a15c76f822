//! References between resources: `Type/id`, relative or at the end of a URL, with or without a version.

/// Whether `text` can be the id of a resource: 1 to 64 letters, digits, hyphens and dots.
#[must_use]
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
}

/// The id that a reference to a resource of `type_name` names; `None` for a reference to anything else.
#[must_use]
pub fn id_in<'a>(reference: &'a str, type_name: &str) -> Option<&'a str> {
    let unversioned = reference.split_once("/_history/").map_or(reference, |(before, _)| before);
    let (before, id) = unversioned.rsplit_once('/')?;
    let base = before.strip_suffix(type_name)?;
    let at_a_start = base.is_empty() || (base.ends_with('/') && is_absolute(base));
    (at_a_start && is_id(id)).then_some(id)
}

/// Whether a reference says on which server its resource is.
#[must_use]
pub fn is_absolute(reference: &str) -> bool {
    reference.starts_with("http://") || reference.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_an_id_of_its_type_only() {
        assert_eq!(id_in("Patient/amina-1", "Patient"), Some("amina-1"));
        assert_eq!(id_in("Patient/amina-1/_history/3", "Patient"), Some("amina-1"));
        assert_eq!(id_in("https://records.example/fhir/Patient/a.b", "Patient"), Some("a.b"));
        for other in ["Group/amina-1", "OutPatient/amina-1", "x/Patient/1", "Patient/", "Patient/a b", "#Patient", ""] {
            assert_eq!(id_in(other, "Patient"), None, "{other}");
        }
    }

    #[test]
    fn an_id_has_1_to_64_letters_digits_hyphens_and_dots() {
        assert!(is_id("a") && is_id("A-1.b") && is_id(&"x".repeat(64)));
        assert!(!is_id("") && !is_id("a_b") && !is_id("é") && !is_id(&"x".repeat(65)));
    }
}
