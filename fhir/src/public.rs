//! The types whose resources are about nobody: directories and definitions, which every caller may read.

use crate::types::ResourceType;

impl ResourceType {
    /// Whether a resource of this type that is in no patient's compartment may be read by every caller.
    #[must_use]
    pub const fn is_public(self) -> bool {
        self.is_directory() || self.is_definition()
    }

    /// Who and what there is to turn to or to use.
    const fn is_directory(self) -> bool {
        matches!(
            self,
            Self::Endpoint
                | Self::HealthcareService
                | Self::Location
                | Self::Medication
                | Self::Organization
                | Self::Practitioner
                | Self::PractitionerRole
                | Self::Substance
        )
    }

    /// What things mean and how they are done. A test holds this list to the categories of HL7.
    const fn is_definition(self) -> bool {
        matches!(
            self,
            // Conformance
            Self::CapabilityStatement
                | Self::CompartmentDefinition
                | Self::ExampleScenario
                | Self::GraphDefinition
                | Self::ImplementationGuide
                | Self::MessageDefinition
                | Self::OperationDefinition
                | Self::SearchParameter
                | Self::StructureDefinition
                | Self::StructureMap
                // Terminology
                | Self::CodeSystem
                | Self::ConceptMap
                | Self::NamingSystem
                | Self::TerminologyCapabilities
                | Self::ValueSet
                // Definitional artifacts
                | Self::ActivityDefinition
                | Self::DeviceDefinition
                | Self::EventDefinition
                | Self::ObservationDefinition
                | Self::PlanDefinition
                | Self::Questionnaire
                | Self::SpecimenDefinition
                // Evidence-based medicine
                | Self::EffectEvidenceSynthesis
                | Self::Evidence
                | Self::EvidenceVariable
                | Self::ResearchDefinition
                | Self::ResearchElementDefinition
                | Self::RiskEvidenceSynthesis
                // Medication definition
                | Self::MedicinalProduct
                | Self::MedicinalProductAuthorization
                | Self::MedicinalProductContraindication
                | Self::MedicinalProductIndication
                | Self::MedicinalProductIngredient
                | Self::MedicinalProductInteraction
                | Self::MedicinalProductManufactured
                | Self::MedicinalProductPackaged
                | Self::MedicinalProductPharmaceutical
                | Self::MedicinalProductUndesirableEffect
                | Self::SubstanceNucleicAcid
                | Self::SubstancePolymer
                | Self::SubstanceProtein
                | Self::SubstanceReferenceInformation
                | Self::SubstanceSourceMaterial
                | Self::SubstanceSpecification
                // Definitions that HL7 files beside what they define
                | Self::ChargeItemDefinition
                | Self::Library
                | Self::Measure
                | Self::TestScript
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::types;

    /// Every concrete type with its category, from HL7's StructureDefinitions.
    const HL7: &str = include_str!("../definitions/types.txt");
    const COMPARTMENT: &str = include_str!("../definitions/patient-compartment.txt");

    /// The categories that hold nothing but definitions.
    const CATEGORIES: [&str; 5] = [
        "Foundation.Conformance",
        "Foundation.Terminology",
        "Specialized.Definitional Artifacts",
        "Specialized.Evidence-Based Medicine",
        "Specialized.Medication Definition",
    ];
    const ELSEWHERE: [&str; 4] = ["ChargeItemDefinition", "Library", "Measure", "TestScript"];
    const DIRECTORY: [&str; 8] = [
        "Endpoint",
        "HealthcareService",
        "Location",
        "Medication",
        "Organization",
        "Practitioner",
        "PractitionerRole",
        "Substance",
    ];

    #[test]
    fn a_type_is_public_by_its_category_or_because_it_is_decided_by_name() {
        for line in HL7.lines() {
            let (name, category) = line.split_once(' ').unwrap();
            let decided = CATEGORIES.contains(&category) || ELSEWHERE.contains(&name) || DIRECTORY.contains(&name);
            assert_eq!(types::named(name).unwrap().is_public(), decided, "{line}");
        }
    }

    #[test]
    fn nothing_that_can_be_in_a_patients_compartment_is_public() {
        for line in COMPARTMENT.lines() {
            let name = line.split(' ').next().unwrap();
            assert!(!types::named(name).unwrap().is_public(), "{name}");
        }
    }
}
