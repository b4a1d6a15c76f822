-- Invitations to make the account of a patient: one pair of code and token for each, and a new one takes the place of the last.
CREATE TABLE invitations (
    patient_id BIGINT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    token_fingerprint BYTEA NOT NULL,
    -- Who invites; the patient must be in its sight when the invitation is redeemed, too.
    organisation_id BIGINT NOT NULL REFERENCES organisations (id),
    expires_at BIGINT NOT NULL,
    -- How often a date of birth was tried since the last right one.
    tries BIGINT NOT NULL
);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);
