-- The records: any FHIR R4 resource as raw JSON, and the token index that searches use.
-- Names that repeat in every row (resource types, search parameters, code systems) are interned as small integers.
CREATE TABLE words (
    id BIGINT PRIMARY KEY,
    word TEXT NOT NULL UNIQUE
);
CREATE TABLE resources (
    id BIGINT PRIMARY KEY,
    type_id BIGINT NOT NULL REFERENCES words (id),
    fhir_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    source_organisation_id BIGINT,
    source_team_id BIGINT,
    source_patient_id TEXT,
    -- The patient compartment that it is in; null for what belongs to no patient.
    patient_id TEXT,
    body TEXT NOT NULL,
    UNIQUE (type_id, fhir_id)
);
CREATE INDEX resources_by_patient ON resources (patient_id, type_id);
CREATE TABLE tokens (
    type_id BIGINT NOT NULL,
    parameter_id BIGINT NOT NULL,
    value TEXT NOT NULL,
    -- 0 where the token has no system.
    system_id BIGINT NOT NULL,
    resource_id BIGINT NOT NULL REFERENCES resources (id),
    PRIMARY KEY (type_id, parameter_id, value, system_id, resource_id)
);
CREATE INDEX tokens_by_resource ON tokens (resource_id);
-- When the patient first opened the content of a document.
CREATE TABLE read_receipts (
    resource_id BIGINT PRIMARY KEY,
    read_at BIGINT NOT NULL
);
