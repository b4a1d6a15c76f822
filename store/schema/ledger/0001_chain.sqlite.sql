-- The ledger: lines in blocks, each line bound to the one before by a hash.
CREATE TABLE blocks (
    -- Of its first line; it grows with time.
    id INTEGER PRIMARY KEY,
    -- Of its first line, counted from one without gaps.
    number BIGINT NOT NULL,
    count BIGINT NOT NULL,
    -- Of its last line.
    hash BYTEA NOT NULL,
    lines BYTEA NOT NULL,
    -- Of each line's hash the first bytes.
    checks BYTEA NOT NULL
);
-- By which patient or user a line is found, and when it was.
CREATE TABLE subjects (
    subject BIGINT NOT NULL,
    at BIGINT NOT NULL,
    id BIGINT NOT NULL,
    PRIMARY KEY (subject, at, id)
) WITHOUT ROWID;
-- Where the ledger ends, and how far each tray, and what older releases wrote, has been added to it. One row.
CREATE TABLE head (
    id INTEGER PRIMARY KEY,
    number BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    last_id BIGINT NOT NULL,
    records_mark BIGINT NOT NULL,
    sessions_mark BIGINT NOT NULL,
    older_mark BIGINT NOT NULL
);
-- How far each spool has been added, in bytes.
CREATE TABLE spools (
    id INTEGER PRIMARY KEY,
    taken BIGINT NOT NULL
);
