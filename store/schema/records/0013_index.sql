-- The index: what every search parameter finds in a resource, by the kind of its values. A type, a parameter and a system are
-- numbers that nobody looks up. Keys that are walked for a page end with the number of the resource, which is the order of pages.
-- A type with a minus before it is that of a contained resource; `part` tells instances of composites and contained resources
-- apart. A node of the release before writes none of this: it is stopped first.
CREATE TABLE index_tokens (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    -- Empty where there is a system alone.
    code TEXT COLLATE BINARY NOT NULL,
    resource_id BIGINT NOT NULL,
    -- 0 where the token has no system.
    system BIGINT NOT NULL,
    part BIGINT NOT NULL,
    PRIMARY KEY (type, parameter, code, resource_id, system, part)
);
CREATE INDEX index_tokens_by_resource ON index_tokens (resource_id, parameter);
CREATE TABLE index_texts (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    -- Without case, accents and punctuation; the start of it where it is long, and then `whole` is all of it.
    folded TEXT COLLATE BINARY NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    -- Tells texts apart that are folded alike.
    number BIGINT NOT NULL,
    whole TEXT,
    written TEXT NOT NULL,
    PRIMARY KEY (type, parameter, folded, resource_id, part, number)
);
CREATE INDEX index_texts_by_resource ON index_texts (resource_id, parameter);
CREATE TABLE index_references (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    -- 0 for a URL; with a minus before it for what is contained, whose number is then the target.
    target_type BIGINT NOT NULL,
    target TEXT COLLATE BINARY NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (type, parameter, target_type, target, resource_id, part, version)
);
CREATE INDEX index_references_by_resource ON index_references (resource_id, parameter);
-- From `low` until before `high`, in microseconds.
CREATE TABLE index_dates (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    low BIGINT NOT NULL,
    high BIGINT NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    PRIMARY KEY (type, parameter, low, high, resource_id, part)
);
CREATE INDEX index_dates_by_resource ON index_dates (resource_id, parameter);
-- Numbers and quantities, as integers that have the order of the numbers: as written, and in base units where they are known.
CREATE TABLE index_amounts (
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
);
CREATE INDEX index_amounts_by_resource ON index_amounts (resource_id, parameter);
CREATE TABLE index_uris (
    type BIGINT NOT NULL,
    parameter BIGINT NOT NULL,
    uri TEXT COLLATE BINARY NOT NULL,
    resource_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    -- With a bar before it; empty where there is none.
    version TEXT NOT NULL,
    PRIMARY KEY (type, parameter, uri, resource_id, part, version)
);
CREATE INDEX index_uris_by_resource ON index_uris (resource_id, parameter);
-- All resources of a type, in the order of pages.
CREATE INDEX resources_by_type ON resources (type, id);
-- All resources are read anew once more, and are indexed.
UPDATE resources SET needs = -1;
