-- Clients that registered themselves (RFC 7591): what is kept of the token by which each manages its registration, and whether an
-- operator has yet to check it.
ALTER TABLE clients ADD COLUMN registration_fingerprint BYTEA;
ALTER TABLE clients ADD COLUMN unchecked BIGINT NOT NULL DEFAULT 0;

-- Initial access tokens, each made by an operator for whoever is responsible for the clients that are registered with it.
CREATE TABLE client_invitations (
    id BIGINT PRIMARY KEY,
    fingerprint BYTEA NOT NULL,
    owner TEXT NOT NULL,
    user_types TEXT NOT NULL,
    uses_left BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX client_invitations_by_fingerprint ON client_invitations (fingerprint);
CREATE INDEX client_invitations_by_expiry ON client_invitations (expires_at);
