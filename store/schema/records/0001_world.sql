-- Who there is: organisations, teams, users, clients, and who granted whom. Rarely written, read on every request.
CREATE TABLE organisations (
    id BIGINT PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
);
CREATE TABLE teams (
    id BIGINT PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    organisation_id BIGINT NOT NULL REFERENCES organisations (id),
    name TEXT NOT NULL
);
CREATE TABLE users (
    id BIGINT PRIMARY KEY,
    username TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    patient_id TEXT,
    frozen_at BIGINT
);
-- Teams that a clinician or coordinator is a member of.
CREATE TABLE memberships (
    user_id BIGINT NOT NULL REFERENCES users (id),
    team_id BIGINT NOT NULL REFERENCES teams (id),
    PRIMARY KEY (user_id, team_id)
);
-- Teams that a patient is registered with: what makes the patient's record visible to the team.
CREATE TABLE registrations (
    patient_id TEXT NOT NULL,
    team_id BIGINT NOT NULL REFERENCES teams (id),
    PRIMARY KEY (patient_id, team_id)
);
CREATE TABLE clients (
    id BIGINT PRIMARY KEY,
    client_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    product TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    scopes TEXT NOT NULL,
    secret_fingerprint BYTEA,
    session_seconds BIGINT,
    access_seconds BIGINT NOT NULL,
    refresh_tokens BIGINT NOT NULL,
    require_pkce BIGINT NOT NULL,
    retry_seconds BIGINT NOT NULL,
    scope_echo TEXT NOT NULL,
    redirect_extra_query BIGINT NOT NULL,
    disabled_at BIGINT
);
CREATE TABLE organisation_grants (
    organisation_id BIGINT NOT NULL REFERENCES organisations (id),
    client_id BIGINT NOT NULL REFERENCES clients (id),
    granted_at BIGINT NOT NULL,
    withdrawn_at BIGINT,
    PRIMARY KEY (organisation_id, client_id)
);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
