-- Exports that were asked for (Bulk Data): what is wanted as of which moment, and how far it has been counted. There are no
-- files: what an export gives is read from the records when it is fetched.
CREATE TABLE exports (
    id BIGINT PRIMARY KEY,
    client_id BIGINT NOT NULL,
    -- The user who asked; where there is none, the organisation or the team.
    holder_id BIGINT NOT NULL,
    begun_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- The URL of the kick-off.
    request TEXT NOT NULL,
    -- FHIR's numbers of the types, with commas between them, in the order in which they are counted.
    types TEXT NOT NULL,
    since BIGINT NOT NULL,
    -- In the record of how many patients it must be at the least: 0 or 1.
    patients BIGINT NOT NULL,
    -- The numbers of the patients of whom it is, as a JSON array; null where it is of all.
    members TEXT,
    -- How many of the types have been counted, and which row of the next one was the last.
    types_done BIGINT NOT NULL,
    row_done BIGINT NOT NULL,
    -- A line for each file: its type, how many resources there were, and behind which row up to which they are, run by run.
    files TEXT NOT NULL,
    -- Until when somebody is counting, unless they have given up their turn before.
    turn_until BIGINT NOT NULL
);
CREATE INDEX exports_by_holder ON exports (client_id, holder_id, expires_at);
CREATE INDEX exports_by_expiry ON exports (expires_at);
