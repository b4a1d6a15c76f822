-- The keys that sign id_tokens. The private part is sealed by the key ring; a key that was replaced has none any more, and is
-- published until nothing that it signed is valid.
CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY,
    algorithm TEXT NOT NULL,
    jwk TEXT NOT NULL,
    sealed TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    replaced_at BIGINT
);
-- Of each algorithm one signs, whichever node made it.
CREATE UNIQUE INDEX signing_keys_in_use ON signing_keys (algorithm) WHERE replaced_at IS NULL;
