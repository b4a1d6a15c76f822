-- What each month of the ledger was when it was closed, vouched for by the key ring. A month that was dropped leaves its root.
CREATE TABLE roots (
    -- Year and month: 202701.
    month INTEGER PRIMARY KEY,
    -- Of its lines; a month without a line ends before it begins.
    first_line BIGINT NOT NULL,
    last_line BIGINT NOT NULL,
    -- Of its last line, or of the last one before it.
    hash BYTEA NOT NULL,
    closed_at BIGINT NOT NULL,
    -- When its lines were dropped, and what had them dropped.
    dropped_at BIGINT,
    dropped_by TEXT,
    key_id TEXT NOT NULL,
    seal BYTEA NOT NULL
);
