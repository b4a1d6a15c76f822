-- The thumbprint (RFC 7638, base64url) of the key to which a session is bound, and until its code is redeemed the code; NULL for one
-- that is bound to none.
ALTER TABLE sessions ADD COLUMN dpop_jkt TEXT;

-- Proofs of keys that were used: each may be used once. Only those whose signature was good are here, and only until nobody would take
-- them any more.
CREATE TABLE spent_proofs (
    -- The SHA-256 of key and jti.
    proof BYTEA NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX spent_proofs_by_expiry ON spent_proofs (expires_at);
