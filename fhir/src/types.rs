//! The resource types of FHIR R4 (4.0.1), by name and by number.

macro_rules! resource_types {
    ($($name:ident = $number:literal,)*) => {
        /// A type of which there can be a resource. Its number is stored, so it never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ResourceType { $($name = $number,)* }

        /// Every type with its name, in the order of the alphabet and of the numbers.
        const ALL: &[(&str, ResourceType)] = &[$((stringify!($name), ResourceType::$name),)*];

        impl ResourceType {
            /// As FHIR spells it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }
        }
    };
}

resource_types! {
    Account = 1, ActivityDefinition = 2, AdverseEvent = 3, AllergyIntolerance = 4, Appointment = 5,
    AppointmentResponse = 6, AuditEvent = 7, Basic = 8, Binary = 9, BiologicallyDerivedProduct = 10,
    BodyStructure = 11, Bundle = 12, CapabilityStatement = 13, CarePlan = 14, CareTeam = 15, CatalogEntry = 16,
    ChargeItem = 17, ChargeItemDefinition = 18, Claim = 19, ClaimResponse = 20, ClinicalImpression = 21,
    CodeSystem = 22, Communication = 23, CommunicationRequest = 24, CompartmentDefinition = 25, Composition = 26,
    ConceptMap = 27, Condition = 28, Consent = 29, Contract = 30, Coverage = 31, CoverageEligibilityRequest = 32,
    CoverageEligibilityResponse = 33, DetectedIssue = 34, Device = 35, DeviceDefinition = 36, DeviceMetric = 37,
    DeviceRequest = 38, DeviceUseStatement = 39, DiagnosticReport = 40, DocumentManifest = 41, DocumentReference = 42,
    EffectEvidenceSynthesis = 43, Encounter = 44, Endpoint = 45, EnrollmentRequest = 46, EnrollmentResponse = 47,
    EpisodeOfCare = 48, EventDefinition = 49, Evidence = 50, EvidenceVariable = 51, ExampleScenario = 52,
    ExplanationOfBenefit = 53, FamilyMemberHistory = 54, Flag = 55, Goal = 56, GraphDefinition = 57, Group = 58,
    GuidanceResponse = 59, HealthcareService = 60, ImagingStudy = 61, Immunization = 62, ImmunizationEvaluation = 63,
    ImmunizationRecommendation = 64, ImplementationGuide = 65, InsurancePlan = 66, Invoice = 67, Library = 68,
    Linkage = 69, List = 70, Location = 71, Measure = 72, MeasureReport = 73, Media = 74, Medication = 75,
    MedicationAdministration = 76, MedicationDispense = 77, MedicationKnowledge = 78, MedicationRequest = 79,
    MedicationStatement = 80, MedicinalProduct = 81, MedicinalProductAuthorization = 82,
    MedicinalProductContraindication = 83, MedicinalProductIndication = 84, MedicinalProductIngredient = 85,
    MedicinalProductInteraction = 86, MedicinalProductManufactured = 87, MedicinalProductPackaged = 88,
    MedicinalProductPharmaceutical = 89, MedicinalProductUndesirableEffect = 90, MessageDefinition = 91,
    MessageHeader = 92, MolecularSequence = 93, NamingSystem = 94, NutritionOrder = 95, Observation = 96,
    ObservationDefinition = 97, OperationDefinition = 98, OperationOutcome = 99, Organization = 100,
    OrganizationAffiliation = 101, Parameters = 102, Patient = 103, PaymentNotice = 104, PaymentReconciliation = 105,
    Person = 106, PlanDefinition = 107, Practitioner = 108, PractitionerRole = 109, Procedure = 110, Provenance = 111,
    Questionnaire = 112, QuestionnaireResponse = 113, RelatedPerson = 114, RequestGroup = 115,
    ResearchDefinition = 116, ResearchElementDefinition = 117, ResearchStudy = 118, ResearchSubject = 119,
    RiskAssessment = 120, RiskEvidenceSynthesis = 121, Schedule = 122, SearchParameter = 123, ServiceRequest = 124,
    Slot = 125, Specimen = 126, SpecimenDefinition = 127, StructureDefinition = 128, StructureMap = 129,
    Subscription = 130, Substance = 131, SubstanceNucleicAcid = 132, SubstancePolymer = 133, SubstanceProtein = 134,
    SubstanceReferenceInformation = 135, SubstanceSourceMaterial = 136, SubstanceSpecification = 137,
    SupplyDelivery = 138, SupplyRequest = 139, Task = 140, TerminologyCapabilities = 141, TestReport = 142,
    TestScript = 143, ValueSet = 144, VerificationResult = 145, VisionPrescription = 146,
}

impl ResourceType {
    /// The number that stands for the type in storage: 1 for the first, never 0.
    #[must_use]
    pub const fn number(self) -> i64 {
        self as i64
    }
}

/// The type that `name` names, spelt as FHIR spells it.
#[must_use]
pub fn named(name: &str) -> Option<ResourceType> {
    let at = ALL.binary_search_by_key(&name, |(known, _)| known).ok()?;
    ALL.get(at).map(|(_, resource_type)| *resource_type)
}

/// Every type, in the order of the numbers.
pub fn all() -> impl Iterator<Item = ResourceType> {
    ALL.iter().map(|(_, resource_type)| *resource_type)
}

/// The type that has this number.
#[must_use]
pub fn numbered(number: i64) -> Option<ResourceType> {
    let at = usize::try_from(number.checked_sub(1)?).ok()?;
    ALL.get(at).map(|(_, resource_type)| *resource_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every concrete type with its category, from HL7's StructureDefinitions.
    const HL7: &str = include_str!("../definitions/types.txt");

    #[test]
    fn the_types_are_hl7s_numbered_from_1_in_the_order_of_the_alphabet() {
        let names: Vec<_> = HL7.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(names.len(), 146);
        assert!(names.is_sorted());
        assert!(ALL.iter().map(|(name, _)| *name).eq(names));
        assert!(ALL.iter().map(|(_, resource_type)| resource_type.number()).eq(1..=146));
    }

    #[test]
    fn a_number_never_changes() {
        for (number, resource_type) in [
            (1, ResourceType::Account),
            (9, ResourceType::Binary),
            (42, ResourceType::DocumentReference),
            (96, ResourceType::Observation),
            (103, ResourceType::Patient),
            (146, ResourceType::VisionPrescription),
        ] {
            assert_eq!(resource_type.number(), number, "{}", resource_type.name());
        }
    }

    #[test]
    fn a_type_is_found_by_its_number_and_by_its_exact_name() {
        for (name, resource_type) in ALL {
            assert_eq!(resource_type.name(), *name);
            assert_eq!(named(name), Some(*resource_type));
            assert_eq!(numbered(resource_type.number()), Some(*resource_type));
        }
        for wrong in ["patient", "", "Patient Person", "Resource", "DomainResource"] {
            assert_eq!(named(wrong), None, "{wrong}");
        }
        for wrong in [0, -1, 147, i64::MIN, i64::MAX] {
            assert_eq!(numbered(wrong), None, "{wrong}");
        }
    }
}
