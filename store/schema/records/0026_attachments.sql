-- Binaries that an app stored as attachments, by their ids, before something held them: what they are called, and until when
-- something must.
CREATE TABLE attachments (
    fhir_id TEXT PRIMARY KEY,
    name TEXT,
    until BIGINT NOT NULL
);
CREATE INDEX attachments_by_until ON attachments (until);
