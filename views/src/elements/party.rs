//! Somebody who takes part: a patient, a professional, a carer or a team, as the API names them and as FHIR refers to them.

use crate::members::faults::Faults;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{object, said, text, texts};
use fhir::json::Node;
use fhir::reference;
use fhir::types::ResourceType;
use rules::rest_faults::ValueFault;

words! {
    pub enum PartyType {
        Patient = "PATIENT",
        Professional = "PROFESSIONAL",
        Carer = "CARER",
        Team = "TEAM",
    }
}

json_body! {
    pub struct Party {
        "type" => party_type: PartyType,
        "id" => id: String,
        "name" => name: Option<String>,
    }
}

/// Where a team stands in an element that has no place for an Organization.
const TEAM_SYSTEM: &str = "urn:recordgate:team";

/// The types that each is in FHIR; the first is the one that is written.
const TYPES: [(PartyType, &[ResourceType]); 4] = [
    (PartyType::Patient, &[ResourceType::Patient]),
    (PartyType::Professional, &[ResourceType::Practitioner, ResourceType::PractitionerRole]),
    (PartyType::Carer, &[ResourceType::RelatedPerson]),
    (PartyType::Team, &[ResourceType::Organization, ResourceType::CareTeam, ResourceType::HealthcareService]),
];

impl Party {
    /// Whom a Reference names; none where it is nobody whom the API knows.
    #[must_use]
    pub fn of(reference: &Node<'_>, base: &str) -> Option<Self> {
        let name = said(reference, "display").map(String::from);
        if let Some(literal) = said(reference, "reference") {
            return TYPES.iter().find_map(|(party_type, types)| {
                let id = types.iter().find_map(|one| reference::id_in(literal, *one, base))?;
                Some(Self { party_type: *party_type, id: id.into(), name: name.clone() })
            });
        }
        let identifier = reference.get("identifier").filter(|one| said(one, "system") == Some(TEAM_SYSTEM))?;
        Some(Self { party_type: PartyType::Team, id: said(identifier, "value")?.into(), name })
    }

    /// The Reference to them.
    #[must_use]
    pub fn reference(&self) -> Node<'static> {
        let of_type = TYPES.iter().find(|(party_type, _)| *party_type == self.party_type);
        let type_name = of_type.and_then(|(_, types)| types.first()).map_or("", |one| one.name());
        texts([("reference", Some(&format!("{type_name}/{}", self.id))), ("display", self.name.as_deref())])
    }

    /// The Reference to them in an element that must not refer to an Organization.
    #[must_use]
    pub fn reference_by_identifier(&self) -> Node<'static> {
        if self.party_type != PartyType::Team {
            return self.reference();
        }
        let mut reference = object([("identifier", texts([("system", Some(TEAM_SYSTEM)), ("value", Some(&self.id))]))]);
        if let Some(name) = &self.name {
            reference.set("display", text(name));
        }
        reference
    }

    /// What is wrong with one that was sent.
    pub(crate) fn check(&self, place: Place<'_>, faults: &mut Faults) {
        if !reference::is_id(&self.id) {
            faults.value(place.member("id"), &ValueFault::NoId);
        }
    }

    /// Whether both are the same, whatever they are called.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        (self.party_type, &self.id) == (other.party_type, &other.id)
    }
}
