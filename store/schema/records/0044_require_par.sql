-- Whether a client must push its authorization requests (RFC 9126).
ALTER TABLE clients ADD COLUMN require_par BIGINT NOT NULL DEFAULT 0;
