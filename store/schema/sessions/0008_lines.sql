-- Lines that wait for the ledger, written with the change to a session that they tell of. The table `ledger` is what
-- releases before this one wrote; its lines are added to the ledger too, and then removed from it.
CREATE TABLE session_lines (
    id BIGINT PRIMARY KEY,
    lines BYTEA NOT NULL,
    -- Whether they stand in the place of a commit that was given up.
    given_up BIGINT NOT NULL DEFAULT 0
);
