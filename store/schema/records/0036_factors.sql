-- The second factor of a user: what its codes are made of, sealed by the key ring, and the last step of time of which a code was used.
CREATE TABLE factors (
    user_id BIGINT PRIMARY KEY,
    secret TEXT NOT NULL,
    last_step BIGINT NOT NULL,
    enrolled_at BIGINT NOT NULL
);
-- Recovery codes that were not used yet, each as its fingerprint.
CREATE TABLE recovery_codes (
    user_id BIGINT NOT NULL,
    fingerprint BYTEA NOT NULL,
    PRIMARY KEY (user_id, fingerprint)
);
-- Links that reset a user's second factor: the last one, once.
CREATE TABLE factor_links (
    user_id BIGINT PRIMARY KEY,
    fingerprint BYTEA NOT NULL,
    expires_at BIGINT NOT NULL
);
