//! Who made an item.

use crate::json_object;
use crate::members::words::words;

words! {
    pub enum SourceType {
        Patient = "PATIENT",
        Person = "PERSON",
        Team = "TEAM",
        Organisation = "ORGANISATION",
    }
}

json_object! {
    /// Who made an item.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ItemSource {
        "type" => source_type: SourceType,
        "id" => id: String,
        "name" => name: Option<String>,
    }
}

impl ItemSource {
    /// The source that `meta.source` names. A person has an id of ours there, which is not told: give the one of their FHIR
    /// resource.
    #[must_use]
    pub fn of_uri(uri: &str, name: Option<&str>) -> Option<Self> {
        let (kind, id) = uri.strip_prefix("urn:recordgate:")?.split_once(':')?;
        let source_type = SourceType::named(&kind.to_uppercase())?;
        Some(Self { source_type, id: id.into(), name: name.map(String::from) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_told_by_what_meta_says() {
        let source =
            ItemSource::of_uri("urn:recordgate:team:11111111-1111-4111-8111-aaaaaaaaaaaa", Some("Sleep Clinic"));
        let expected = ItemSource {
            source_type: SourceType::Team,
            id: "11111111-1111-4111-8111-aaaaaaaaaaaa".into(),
            name: Some("Sleep Clinic".into()),
        };
        assert_eq!(source, Some(expected));
        assert_eq!(ItemSource::of_uri("https://elsewhere.example/team:1", None), None);
        assert_eq!(ItemSource::of_uri("urn:recordgate:robot:1", None), None);
    }
}
