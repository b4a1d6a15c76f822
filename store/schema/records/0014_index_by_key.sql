-- Of the embedded store alone: the tables of the index are ordered by their keys, instead of being a heap with the key beside
-- it. That is a tree less to write for each value, and a sixth less of the index on the disk.
CREATE TABLE index_tokens_by_key (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    code TEXT COLLATE BINARY NOT NULL,
    resource_id BIGINT NOT NULL,
    system BIGINT NOT NULL,
    part BIGINT NOT NULL,
    PRIMARY KEY (type, parameter, code, resource_id, system, part)
) WITHOUT ROWID;
INSERT INTO index_tokens_by_key (type, parameter, code, resource_id, system, part) SELECT type, parameter, code, resource_id, system, part FROM index_tokens ORDER BY type, parameter, code, resource_id, system, part;
DROP TABLE index_tokens;
ALTER TABLE index_tokens_by_key RENAME TO index_tokens;
CREATE INDEX index_tokens_by_resource ON index_tokens (resource_id, parameter);
CREATE TABLE index_texts_by_key (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    folded TEXT COLLATE BINARY NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    number BIGINT NOT NULL,
    whole TEXT,
    written TEXT NOT NULL,
    PRIMARY KEY (type, parameter, folded, resource_id, part, number)
) WITHOUT ROWID;
INSERT INTO index_texts_by_key (type, parameter, folded, resource_id, part, number, whole, written) SELECT type, parameter, folded, resource_id, part, number, whole, written FROM index_texts ORDER BY type, parameter, folded, resource_id, part, number;
DROP TABLE index_texts;
ALTER TABLE index_texts_by_key RENAME TO index_texts;
CREATE INDEX index_texts_by_resource ON index_texts (resource_id, parameter);
CREATE TABLE index_references_by_key (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    target_type BIGINT NOT NULL,
    target TEXT COLLATE BINARY NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (type, parameter, target_type, target, resource_id, part, version)
) WITHOUT ROWID;
INSERT INTO index_references_by_key (type, parameter, target_type, target, resource_id, part, version) SELECT type, parameter, target_type, target, resource_id, part, version FROM index_references ORDER BY type, parameter, target_type, target, resource_id, part, version;
DROP TABLE index_references;
ALTER TABLE index_references_by_key RENAME TO index_references;
CREATE INDEX index_references_by_resource ON index_references (resource_id, parameter);
CREATE TABLE index_dates_by_key (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    low BIGINT NOT NULL,
    high BIGINT NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    PRIMARY KEY (type, parameter, low, high, resource_id, part)
) WITHOUT ROWID;
INSERT INTO index_dates_by_key (type, parameter, low, high, resource_id, part) SELECT type, parameter, low, high, resource_id, part FROM index_dates ORDER BY type, parameter, low, high, resource_id, part;
DROP TABLE index_dates;
ALTER TABLE index_dates_by_key RENAME TO index_dates;
CREATE INDEX index_dates_by_resource ON index_dates (resource_id, parameter);
CREATE TABLE index_amounts_by_key (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    low BIGINT NOT NULL,
    high BIGINT NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    number BIGINT NOT NULL,
    system BIGINT NOT NULL,
    code TEXT NOT NULL,
    unit TEXT NOT NULL,
    base TEXT,
    base_low BIGINT,
    base_high BIGINT,
    PRIMARY KEY (type, parameter, low, high, resource_id, part, number)
) WITHOUT ROWID;
INSERT INTO index_amounts_by_key (type, parameter, low, high, resource_id, part, number, system, code, unit, base, base_low, base_high) SELECT type, parameter, low, high, resource_id, part, number, system, code, unit, base, base_low, base_high FROM index_amounts ORDER BY type, parameter, low, high, resource_id, part, number;
DROP TABLE index_amounts;
ALTER TABLE index_amounts_by_key RENAME TO index_amounts;
CREATE INDEX index_amounts_by_resource ON index_amounts (resource_id, parameter);
CREATE TABLE index_uris_by_key (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    uri TEXT COLLATE BINARY NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (type, parameter, uri, resource_id, part, version)
) WITHOUT ROWID;
INSERT INTO index_uris_by_key (type, parameter, uri, resource_id, part, version) SELECT type, parameter, uri, resource_id, part, version FROM index_uris ORDER BY type, parameter, uri, resource_id, part, version;
DROP TABLE index_uris;
ALTER TABLE index_uris_by_key RENAME TO index_uris;
CREATE INDEX index_uris_by_resource ON index_uris (resource_id, parameter);
