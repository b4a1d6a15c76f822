-- Search parameters that users' own SearchParameters define, one row for each type of each: under which number the index keeps its
-- values, and how far the resources that were there before are indexed. A number is never used again. A node of the release before
-- does not write such values: it is stopped first.
CREATE TABLE own_parameters (
    number BIGINT NOT NULL PRIMARY KEY,
    -- The SearchParameter's.
    resource_id BIGINT NOT NULL,
    type BIGINT NOT NULL,
    -- What it defines, in the form of the table of HL7's parameters.
    line TEXT NOT NULL,
    -- 0: being filled; 1: whole; 2: not to be filled; 3: its values are being removed; 4: they are gone.
    state BIGINT NOT NULL,
    -- The number of the last resource that was read for it.
    filled BIGINT NOT NULL
);
-- SearchParameters that are there are read anew, and define what they do.
UPDATE resources SET needs = -1 WHERE type = 123;
