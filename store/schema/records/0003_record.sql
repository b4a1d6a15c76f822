-- Rows that can carry a full record. Patients have numbers; a resource says its type by FHIR's number of it, what it takes
-- to see it, and whose compartments it is in; beside it are its past versions; and who sees whom is written down.
--
-- This migration does not only add: a node of the release before is refused by the database on every call that reads or
-- writes a record, and never answers by the old rules.

CREATE TABLE patients (
    id BIGINT PRIMARY KEY,
    fhir_id TEXT NOT NULL UNIQUE
);
INSERT INTO patients (id, fhir_id)
    SELECT row_number() OVER (ORDER BY p.fhir_id), p.fhir_id FROM (
        SELECT patient_id AS fhir_id FROM users WHERE patient_id IS NOT NULL
        UNION SELECT patient_id FROM registrations
        UNION SELECT patient_id FROM resources WHERE patient_id IS NOT NULL
        UNION SELECT source_patient_id FROM resources WHERE source_patient_id IS NOT NULL) p;

ALTER TABLE users ADD COLUMN patient BIGINT;
UPDATE users SET patient = (SELECT p.id FROM patients p WHERE p.fhir_id = users.patient_id);
ALTER TABLE users DROP COLUMN patient_id;
ALTER TABLE users RENAME COLUMN patient TO patient_id;

-- Teams that a patient is registered with.
CREATE TABLE numbered_registrations (
    patient_id BIGINT NOT NULL,
    team_id BIGINT NOT NULL REFERENCES teams (id),
    PRIMARY KEY (patient_id, team_id)
);
INSERT INTO numbered_registrations (patient_id, team_id)
    SELECT p.id, g.team_id FROM registrations g JOIN patients p ON p.fhir_id = g.patient_id;
DROP TABLE registrations;
ALTER TABLE numbered_registrations RENAME TO registrations;
CREATE INDEX registrations_by_team ON registrations (team_id, patient_id);

CREATE TABLE numbered_resources (
    id BIGINT PRIMARY KEY,
    -- FHIR's types have numbers that never change.
    type BIGINT NOT NULL,
    fhir_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- The labels that a viewer must hold, as bits. Negative: not read anew yet, so that nobody sees it by consent.
    needs BIGINT NOT NULL,
    source_organisation_id BIGINT,
    source_team_id BIGINT,
    source_user_id BIGINT,
    source_patient_id BIGINT,
    -- The patient in whose compartment it is, the first where there are several, and how many there are.
    patient_id BIGINT,
    patients BIGINT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (type, fhir_id)
);
INSERT INTO numbered_resources (id, type, fhir_id, version, updated_at, needs, source_organisation_id, source_team_id,
        source_patient_id, patient_id, patients, body)
    SELECT r.id, t.column2, r.fhir_id, r.version, r.updated_at, -1, r.source_organisation_id, r.source_team_id,
        m.id, p.id, CASE WHEN p.id IS NULL THEN 0 ELSE 1 END, r.body
    FROM resources r JOIN words w ON w.id = r.type_id JOIN (VALUES
        ('Account', 1), ('ActivityDefinition', 2), ('AdverseEvent', 3), ('AllergyIntolerance', 4),
        ('Appointment', 5), ('AppointmentResponse', 6), ('AuditEvent', 7), ('Basic', 8), ('Binary', 9),
        ('BiologicallyDerivedProduct', 10), ('BodyStructure', 11), ('Bundle', 12), ('CapabilityStatement', 13),
        ('CarePlan', 14), ('CareTeam', 15), ('CatalogEntry', 16), ('ChargeItem', 17),
        ('ChargeItemDefinition', 18), ('Claim', 19), ('ClaimResponse', 20), ('ClinicalImpression', 21),
        ('CodeSystem', 22), ('Communication', 23), ('CommunicationRequest', 24), ('CompartmentDefinition', 25),
        ('Composition', 26), ('ConceptMap', 27), ('Condition', 28), ('Consent', 29), ('Contract', 30),
        ('Coverage', 31), ('CoverageEligibilityRequest', 32), ('CoverageEligibilityResponse', 33),
        ('DetectedIssue', 34), ('Device', 35), ('DeviceDefinition', 36), ('DeviceMetric', 37),
        ('DeviceRequest', 38), ('DeviceUseStatement', 39), ('DiagnosticReport', 40), ('DocumentManifest', 41),
        ('DocumentReference', 42), ('EffectEvidenceSynthesis', 43), ('Encounter', 44), ('Endpoint', 45),
        ('EnrollmentRequest', 46), ('EnrollmentResponse', 47), ('EpisodeOfCare', 48), ('EventDefinition', 49),
        ('Evidence', 50), ('EvidenceVariable', 51), ('ExampleScenario', 52), ('ExplanationOfBenefit', 53),
        ('FamilyMemberHistory', 54), ('Flag', 55), ('Goal', 56), ('GraphDefinition', 57), ('Group', 58),
        ('GuidanceResponse', 59), ('HealthcareService', 60), ('ImagingStudy', 61), ('Immunization', 62),
        ('ImmunizationEvaluation', 63), ('ImmunizationRecommendation', 64), ('ImplementationGuide', 65),
        ('InsurancePlan', 66), ('Invoice', 67), ('Library', 68), ('Linkage', 69), ('List', 70),
        ('Location', 71), ('Measure', 72), ('MeasureReport', 73), ('Media', 74), ('Medication', 75),
        ('MedicationAdministration', 76), ('MedicationDispense', 77), ('MedicationKnowledge', 78),
        ('MedicationRequest', 79), ('MedicationStatement', 80), ('MedicinalProduct', 81),
        ('MedicinalProductAuthorization', 82), ('MedicinalProductContraindication', 83),
        ('MedicinalProductIndication', 84), ('MedicinalProductIngredient', 85),
        ('MedicinalProductInteraction', 86), ('MedicinalProductManufactured', 87),
        ('MedicinalProductPackaged', 88), ('MedicinalProductPharmaceutical', 89),
        ('MedicinalProductUndesirableEffect', 90), ('MessageDefinition', 91), ('MessageHeader', 92),
        ('MolecularSequence', 93), ('NamingSystem', 94), ('NutritionOrder', 95), ('Observation', 96),
        ('ObservationDefinition', 97), ('OperationDefinition', 98), ('OperationOutcome', 99),
        ('Organization', 100), ('OrganizationAffiliation', 101), ('Parameters', 102), ('Patient', 103),
        ('PaymentNotice', 104), ('PaymentReconciliation', 105), ('Person', 106), ('PlanDefinition', 107),
        ('Practitioner', 108), ('PractitionerRole', 109), ('Procedure', 110), ('Provenance', 111),
        ('Questionnaire', 112), ('QuestionnaireResponse', 113), ('RelatedPerson', 114), ('RequestGroup', 115),
        ('ResearchDefinition', 116), ('ResearchElementDefinition', 117), ('ResearchStudy', 118),
        ('ResearchSubject', 119), ('RiskAssessment', 120), ('RiskEvidenceSynthesis', 121), ('Schedule', 122),
        ('SearchParameter', 123), ('ServiceRequest', 124), ('Slot', 125), ('Specimen', 126),
        ('SpecimenDefinition', 127), ('StructureDefinition', 128), ('StructureMap', 129), ('Subscription', 130),
        ('Substance', 131), ('SubstanceNucleicAcid', 132), ('SubstancePolymer', 133), ('SubstanceProtein', 134),
        ('SubstanceReferenceInformation', 135), ('SubstanceSourceMaterial', 136),
        ('SubstanceSpecification', 137), ('SupplyDelivery', 138), ('SupplyRequest', 139), ('Task', 140),
        ('TerminologyCapabilities', 141), ('TestReport', 142), ('TestScript', 143), ('ValueSet', 144),
        ('VerificationResult', 145), ('VisionPrescription', 146)
    ) t ON t.column1 = w.word
        LEFT JOIN patients p ON p.fhir_id = r.patient_id LEFT JOIN patients m ON m.fhir_id = r.source_patient_id;
-- In the order of pages, whatever the system. Filled when the resources are read anew.
CREATE TABLE numbered_tokens (
    type BIGINT NOT NULL,
    parameter_id BIGINT NOT NULL,
    value TEXT NOT NULL,
    resource_id BIGINT NOT NULL,
    -- 0 where the token has no system.
    system_id BIGINT NOT NULL,
    PRIMARY KEY (type, parameter_id, value, resource_id, system_id)
);
DROP TABLE tokens;
DROP TABLE resources;
ALTER TABLE numbered_resources RENAME TO resources;
ALTER TABLE numbered_tokens RENAME TO tokens;
CREATE INDEX resources_by_patient ON resources (patient_id, type, id);
CREATE INDEX resources_to_read_anew ON resources (id) WHERE needs < 0;
CREATE INDEX tokens_by_resource ON tokens (resource_id);

-- Past versions; append-only. The version of now is in the resource's own row.
CREATE TABLE versions (
    resource_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    patient_id BIGINT,
    patients BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (resource_id, version)
);
-- Whose compartments a version of a resource is in, where there are several.
CREATE TABLE compartments (
    resource_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    patient_id BIGINT NOT NULL,
    PRIMARY KEY (resource_id, version, patient_id)
);
CREATE INDEX compartments_by_patient ON compartments (patient_id, resource_id);

-- The teams and organisations that ever made something about a patient.
CREATE TABLE makers (
    patient_id BIGINT NOT NULL,
    viewer_id BIGINT NOT NULL,
    PRIMARY KEY (patient_id, viewer_id)
);
INSERT INTO makers (patient_id, viewer_id)
    SELECT patient_id, source_team_id FROM resources WHERE patient_id IS NOT NULL AND source_team_id IS NOT NULL
    UNION
    SELECT patient_id, source_organisation_id FROM resources
        WHERE patient_id IS NOT NULL AND source_organisation_id IS NOT NULL;

-- Which labels a viewer holds of a patient, as bits, until when. Derived; possibly none, which is an association.
CREATE TABLE sight (
    patient_id BIGINT NOT NULL,
    viewer_id BIGINT NOT NULL,
    labels BIGINT NOT NULL,
    ends_at BIGINT,
    PRIMARY KEY (patient_id, viewer_id)
);
CREATE INDEX sight_by_viewer ON sight (viewer_id, patient_id);
INSERT INTO sight (patient_id, viewer_id, labels) SELECT patient_id, team_id, 15 FROM registrations;
INSERT INTO sight (patient_id, viewer_id, labels)
    SELECT a.patient_id, a.viewer_id, 0 FROM (
        SELECT patient_id, viewer_id FROM makers
        UNION
        SELECT g.patient_id, t.organisation_id FROM registrations g JOIN teams t ON t.id = g.team_id) a
    WHERE NOT EXISTS (SELECT 1 FROM sight s WHERE s.patient_id = a.patient_id AND s.viewer_id = a.viewer_id);
