-- Whether a confidential client is spared PKCE in SMART requests, because its library cannot do it.
ALTER TABLE clients ADD COLUMN pkce_when_sent BIGINT NOT NULL DEFAULT 0;
