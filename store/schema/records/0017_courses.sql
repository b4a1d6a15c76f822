-- What a patient has of a code, in the order of the care: a search for it walks along, where it would look at all that the patient
-- has. `parameter` is that of the code, which no other type has; a moment is the end of the latest date, the least number where
-- there is none. Every resource is read anew for it, in pieces, before the store is served.
CREATE TABLE index_courses (
    patient_id BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    code TEXT COLLATE BINARY NOT NULL,
    moment BIGINT NOT NULL,
    resource_id BIGINT NOT NULL,
    system BIGINT NOT NULL,
    PRIMARY KEY (patient_id, parameter, code, moment, resource_id, system)
);
CREATE INDEX index_courses_by_resource ON index_courses (resource_id);
UPDATE resources SET needs = -1;
