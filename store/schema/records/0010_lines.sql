-- Lines that wait for the ledger, written with the change to a record that they tell of.
CREATE TABLE record_lines (
    id BIGINT PRIMARY KEY,
    lines BYTEA NOT NULL,
    -- Whether they stand in the place of a commit that was given up.
    given_up BIGINT NOT NULL DEFAULT 0
);
