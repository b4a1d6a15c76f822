//! The resource types of FHIR R4 (4.0.1), by name.

/// Every type of which there can be a resource, in the order of the alphabet.
const NAMES: &str = "
    Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse AuditEvent Basic
    Binary BiologicallyDerivedProduct BodyStructure Bundle CapabilityStatement CarePlan CareTeam CatalogEntry
    ChargeItem ChargeItemDefinition Claim ClaimResponse ClinicalImpression CodeSystem Communication
    CommunicationRequest CompartmentDefinition Composition ConceptMap Condition Consent Contract Coverage
    CoverageEligibilityRequest CoverageEligibilityResponse DetectedIssue Device DeviceDefinition DeviceMetric
    DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference EffectEvidenceSynthesis
    Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare EventDefinition Evidence
    EvidenceVariable ExampleScenario ExplanationOfBenefit FamilyMemberHistory Flag Goal GraphDefinition Group
    GuidanceResponse HealthcareService ImagingStudy Immunization ImmunizationEvaluation ImmunizationRecommendation
    ImplementationGuide InsurancePlan Invoice Library Linkage List Location Measure MeasureReport Media Medication
    MedicationAdministration MedicationDispense MedicationKnowledge MedicationRequest MedicationStatement
    MedicinalProduct MedicinalProductAuthorization MedicinalProductContraindication MedicinalProductIndication
    MedicinalProductIngredient MedicinalProductInteraction MedicinalProductManufactured MedicinalProductPackaged
    MedicinalProductPharmaceutical MedicinalProductUndesirableEffect MessageDefinition MessageHeader
    MolecularSequence NamingSystem NutritionOrder Observation ObservationDefinition OperationDefinition
    OperationOutcome Organization OrganizationAffiliation Parameters Patient PaymentNotice PaymentReconciliation
    Person PlanDefinition Practitioner PractitionerRole Procedure Provenance Questionnaire QuestionnaireResponse
    RelatedPerson RequestGroup ResearchDefinition ResearchElementDefinition ResearchStudy ResearchSubject
    RiskAssessment RiskEvidenceSynthesis Schedule SearchParameter ServiceRequest Slot Specimen SpecimenDefinition
    StructureDefinition StructureMap Subscription Substance SubstanceNucleicAcid SubstancePolymer SubstanceProtein
    SubstanceReferenceInformation SubstanceSourceMaterial SubstanceSpecification SupplyDelivery SupplyRequest Task
    TerminologyCapabilities TestReport TestScript ValueSet VerificationResult VisionPrescription";

/// The type that `name` names, spelt as FHIR spells it.
pub(super) fn named(name: &str) -> Option<&'static str> {
    NAMES.split_ascii_whitespace().find(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_146_types_each_once() {
        let names: std::collections::BTreeSet<_> = NAMES.split_ascii_whitespace().collect();
        assert_eq!(names.len(), 146);
        assert!(names.iter().copied().eq(NAMES.split_ascii_whitespace()));
    }

    #[test]
    fn a_type_is_named_in_its_exact_spelling() {
        assert_eq!(named("DocumentReference"), Some("DocumentReference"));
        assert_eq!(named("patient"), None);
        assert_eq!(named(""), None);
        assert_eq!(named("Patient Person"), None);
    }
}
