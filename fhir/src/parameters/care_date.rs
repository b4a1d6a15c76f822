//! When the care happened that a resource tells of: the one of its date parameters that says so.

use crate::parameters::kind::Kind;
use crate::parameters::parameter::Parameter;
use crate::parameters::table;
use crate::types::ResourceType;

/// Types whose parameter is not called `date`.
const OTHERS: [(ResourceType, &str); 23] = [
    (ResourceType::ChargeItem, "occurrence"),
    (ResourceType::Claim, "created"),
    (ResourceType::ClaimResponse, "created"),
    (ResourceType::Communication, "sent"),
    (ResourceType::CommunicationRequest, "authored"),
    (ResourceType::Condition, "onset-date"),
    (ResourceType::DetectedIssue, "identified"),
    (ResourceType::DeviceRequest, "authored-on"),
    (ResourceType::DocumentManifest, "created"),
    (ResourceType::ExplanationOfBenefit, "created"),
    (ResourceType::Goal, "start-date"),
    (ResourceType::ImagingStudy, "started"),
    (ResourceType::Media, "created"),
    (ResourceType::MedicationAdministration, "effective-time"),
    (ResourceType::MedicationDispense, "whenhandedover"),
    (ResourceType::MedicationRequest, "authoredon"),
    (ResourceType::MedicationStatement, "effective"),
    (ResourceType::NutritionOrder, "datetime"),
    (ResourceType::QuestionnaireResponse, "authored"),
    (ResourceType::RequestGroup, "authored"),
    (ResourceType::ServiceRequest, "authored"),
    (ResourceType::Specimen, "collected"),
    (ResourceType::VisionPrescription, "datewritten"),
];

/// The parameter of a type, if one of them says when the care was.
#[must_use]
pub fn of(resource_type: ResourceType) -> Option<&'static Parameter> {
    let other = OTHERS.iter().find(|(of, _)| *of == resource_type).map(|(_, code)| *code);
    table::find(resource_type, other.unwrap_or("date")).filter(|parameter| parameter.kind == Kind::Date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_of_the_list_has_the_parameter_that_it_names() {
        for (resource_type, code) in OTHERS {
            assert_eq!(of(resource_type).map(|parameter| parameter.code), Some(code), "{resource_type:?}");
        }
        assert_eq!(of(ResourceType::Observation).map(|parameter| parameter.code), Some("date"));
        assert!(of(ResourceType::Patient).is_none(), "a birthday is no care");
    }
}
