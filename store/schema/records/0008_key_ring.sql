-- The keys of the ring that belongs to this database: by their ids, and by fingerprints that do not help to find them.
CREATE TABLE ring_keys (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    registered_at BIGINT NOT NULL,
    sealed_at BIGINT,
    retired_at BIGINT
);
