-- Accounts that patients made by invitation: by whose, when, and until when where one was ended since.
CREATE TABLE invited_accounts (
    user_id BIGINT PRIMARY KEY REFERENCES users (id),
    -- Whose account it was made to be; the user of an ended one has no patient any more.
    patient_id BIGINT NOT NULL,
    organisation_id BIGINT NOT NULL REFERENCES organisations (id),
    made_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX invited_accounts_by_patient ON invited_accounts (patient_id, user_id);
-- What an organisation asks for beside code, token and date of birth: `none` or `paper`; NULL where nothing was said of it yet.
ALTER TABLE organisations ADD COLUMN invitation_proof TEXT;
-- The further code that a Team Coordinator printed for an invitation, until when it is good, and how often it was tried in vain.
ALTER TABLE invitations ADD COLUMN paper_fingerprint BYTEA;
ALTER TABLE invitations ADD COLUMN paper_expires_at BIGINT;
ALTER TABLE invitations ADD COLUMN paper_tries BIGINT;
