-- Passkeys, each a second factor of its user: what their authenticators say of them, how often they were used by the authenticators' own
-- count, and what people call them.
CREATE TABLE passkeys (
    id BIGINT PRIMARY KEY,
    user_id BIGINT NOT NULL,
    credential BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    algorithm BIGINT NOT NULL,
    transports TEXT NOT NULL,
    counter BIGINT NOT NULL,
    synced BIGINT NOT NULL,
    name TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (credential);
CREATE INDEX passkeys_by_user ON passkeys (user_id, id);
