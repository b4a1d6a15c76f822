-- Signed assertions by which clients proved who they are: each may be used once. Only those whose signature was good are
-- here, and only until nobody would take them any more.
CREATE TABLE spent_assertions (
    client_id BIGINT NOT NULL,
    -- The SHA-256 of its jti.
    jti_hash BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (client_id, jti_hash)
);
CREATE INDEX spent_assertions_by_expiry ON spent_assertions (expires_at);
