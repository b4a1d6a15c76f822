-- The ledger: lines in blocks, each line bound to the one before by a hash. Each month is a partition, made when its first
-- line comes.
CREATE SCHEMA ledger;
CREATE TABLE ledger.blocks (
    -- Of its first line; it grows with time.
    id BIGINT PRIMARY KEY,
    -- Of its first line, counted from one without gaps.
    number BIGINT NOT NULL,
    count BIGINT NOT NULL,
    -- Of its last line.
    hash BYTEA NOT NULL,
    lines BYTEA NOT NULL,
    -- Of each line's hash the first bytes.
    checks BYTEA NOT NULL
) PARTITION BY RANGE (id);
-- By which patient or user a line is found, and when it was.
CREATE TABLE ledger.subjects (
    subject BIGINT NOT NULL,
    at BIGINT NOT NULL,
    id BIGINT NOT NULL,
    PRIMARY KEY (subject, at, id)
) PARTITION BY RANGE (id);
-- Where the ledger ends. One row. The marks are an embedded store's; here what was added is removed with it.
CREATE TABLE ledger.head (
    id BIGINT PRIMARY KEY,
    number BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    last_id BIGINT NOT NULL,
    records_mark BIGINT NOT NULL,
    sessions_mark BIGINT NOT NULL,
    older_mark BIGINT NOT NULL
);
-- How far each spool has been added, in bytes.
CREATE TABLE ledger.spools (
    id BIGINT PRIMARY KEY,
    taken BIGINT NOT NULL
);
-- What was taken from the trays lately. It proves commits that nobody acknowledged.
CREATE TABLE ledger.taken (
    id BIGINT PRIMARY KEY,
    given_up BIGINT NOT NULL,
    taken_at BIGINT NOT NULL
);
CREATE INDEX taken_by_time ON ledger.taken (taken_at);
