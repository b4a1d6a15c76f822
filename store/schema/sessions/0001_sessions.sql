-- The only token state: one row per session. Codes, refresh tokens and access tokens are derived from it.
CREATE TABLE sessions (
    id BIGINT PRIMARY KEY,
    salt BYTEA NOT NULL,
    client_id BIGINT NOT NULL,
    user_id BIGINT,
    team_id BIGINT,
    scope TEXT NOT NULL,
    scope_spelt TEXT,
    redirect_uri TEXT,
    redirect_uri_sent BIGINT NOT NULL,
    challenge TEXT,
    granted_at BIGINT NOT NULL,
    ends_at BIGINT,
    code_redeemed_at BIGINT,
    generation BIGINT NOT NULL,
    rotated_at BIGINT,
    revoked_at BIGINT,
    revoked_why TEXT
);
CREATE INDEX sessions_by_user ON sessions (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX sessions_by_team ON sessions (team_id) WHERE team_id IS NOT NULL;
-- What the sweeper looks for: never redeemed, ended by the clock, revoked.
CREATE INDEX sessions_unredeemed ON sessions (granted_at) WHERE generation = 0;
CREATE INDEX sessions_ending ON sessions (ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX sessions_revoked ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

-- Signed-in browsers.
CREATE TABLE sign_ins (
    id BIGINT PRIMARY KEY,
    salt BYTEA NOT NULL,
    user_id BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX sign_ins_by_start ON sign_ins (started_at);

-- Authorization forms that were used: each may be used once. Kept until the form would have expired anyway.
CREATE TABLE spent_forms (
    id BIGINT PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX spent_forms_by_expiry ON spent_forms (expires_at);

-- Append-only: every grant, redemption, rotation, replay and revocation, and who looked at whose record.
CREATE TABLE ledger (
    id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    session_id BIGINT,
    client_id BIGINT,
    user_id BIGINT,
    team_id BIGINT,
    organisation_id BIGINT,
    patient_id TEXT,
    detail TEXT,
    -- How often, where one line stands for many of the same within a moment.
    times BIGINT NOT NULL
);
CREATE INDEX ledger_by_patient ON ledger (patient_id, id) WHERE patient_id IS NOT NULL;
-- Rotations are kept but not listed, so they need no index; they are most of the lines.
CREATE INDEX ledger_by_user ON ledger (user_id, id) WHERE user_id IS NOT NULL AND event <> 'refreshed';
