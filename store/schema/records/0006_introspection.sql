-- Whether a client may ask about any token (RFC 7662). A node of the release before registers clients without it.
ALTER TABLE clients ADD COLUMN may_introspect BIGINT NOT NULL DEFAULT 0;
