-- Of the embedded store alone: ordered by its key, as the other tables of the index are. It is still empty.
DROP TABLE index_courses;
CREATE TABLE index_courses (
    patient_id BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    code TEXT COLLATE BINARY NOT NULL,
    moment BIGINT NOT NULL,
    resource_id BIGINT NOT NULL,
    system BIGINT NOT NULL,
    PRIMARY KEY (patient_id, parameter, code, moment, resource_id, system)
) WITHOUT ROWID;
CREATE INDEX index_courses_by_resource ON index_courses (resource_id);
