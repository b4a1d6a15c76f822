-- Consents: what each patient has opened to a team, a professional or a carer. A team's consent that is not discharged is what a
-- registration was, and opens the labels that it names instead of all four.
--
-- This migration does not only add: a node of the release before is refused by the database when it registers somebody.
CREATE TABLE consents (
    -- A UUID, which is the id of its FHIR Consent too.
    id TEXT PRIMARY KEY,
    patient_id BIGINT NOT NULL,
    -- TEAM, PROFESSIONAL or CARER, and the number of the team or the user.
    grantee_kind TEXT NOT NULL,
    grantee_id BIGINT NOT NULL,
    labels BIGINT NOT NULL,
    discharged BIGINT NOT NULL,
    -- The team that locked it; 0: a privacy officer or the operator.
    locked_by BIGINT,
    manages BIGINT NOT NULL,
    basis TEXT,
    reason TEXT,
    reason_text TEXT,
    withdrawn BIGINT NOT NULL,
    ends_at BIGINT,
    accepted BIGINT NOT NULL,
    made_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    -- The user who changed it last; null: a System Client, or the operator.
    changed_by BIGINT,
    UNIQUE (patient_id, grantee_id)
);
CREATE INDEX consents_by_grantee ON consents (grantee_id, patient_id);
-- Their ids are counted, in the form of a UUID.
INSERT INTO consents (id, patient_id, grantee_kind, grantee_id, labels, discharged, manages, basis, reason, reason_text,
        withdrawn, accepted, made_at, changed_at)
    SELECT '00000000-0000-4000-8000-' || substr('000000000000' || g.n, length(g.n) + 1), g.patient_id, 'TEAM', g.team_id,
        15, 0, 0, 'IMPLIED', 'OTHER', 'registered before', 0, 1, 0, 0
    FROM (SELECT patient_id, team_id, CAST(row_number() OVER (ORDER BY patient_id, team_id) AS TEXT) AS n
        FROM registrations) g;
DROP TABLE registrations;
-- The teams that have a patient in their care.
CREATE VIEW registrations AS
    SELECT patient_id, grantee_id AS team_id FROM consents WHERE grantee_kind = 'TEAM' AND discharged = 0;

-- Whether the association stays when the labels have ended.
ALTER TABLE sight ADD COLUMN stays BIGINT NOT NULL DEFAULT 1;

-- States of a record.
ALTER TABLE patients ADD COLUMN frozen_at BIGINT;
ALTER TABLE patients ADD COLUMN sharing_disabled_at BIGINT;

-- The label of what a team or an organisation sends without one, the labels that a team is given where nothing is said, and
-- whether it may break the glass.
ALTER TABLE teams ADD COLUMN default_label TEXT NOT NULL DEFAULT 'GENERAL_HEALTH';
ALTER TABLE teams ADD COLUMN default_access BIGINT NOT NULL DEFAULT 1;
ALTER TABLE teams ADD COLUMN break_glass BIGINT NOT NULL DEFAULT 0;
ALTER TABLE organisations ADD COLUMN default_label TEXT NOT NULL DEFAULT 'GENERAL_HEALTH';
-- The teams that a System Client looks through: their numbers with commas between them.
ALTER TABLE organisation_grants ADD COLUMN through TEXT;
-- The organisation of a privacy officer.
ALTER TABLE users ADD COLUMN organisation_id BIGINT;
-- Whether the patient chose the label: then no write of its source changes it.
ALTER TABLE resources ADD COLUMN label_chosen BIGINT NOT NULL DEFAULT 0;

-- What somebody is told in the service: a patient, a user, a team, or the privacy officers of an organisation.
CREATE TABLE notices (
    id BIGINT PRIMARY KEY,
    kind TEXT NOT NULL,
    -- PATIENT, USER, TEAM or OFFICERS, and the number of the patient, the user, the team or the organisation.
    recipient_kind TEXT NOT NULL,
    recipient_id BIGINT NOT NULL,
    patient_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    text TEXT NOT NULL,
    -- The user by whom it came, and the team.
    by_user_id BIGINT,
    by_team_id BIGINT,
    reason TEXT,
    seen_at BIGINT
);
CREATE INDEX notices_by_recipient ON notices (recipient_id, id);

-- Glasses that were broken: each opens one record to one session of one team for a short time.
CREATE TABLE glasses (
    id BIGINT PRIMARY KEY,
    session_id BIGINT NOT NULL,
    team_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    patient_id BIGINT NOT NULL,
    broken_at BIGINT NOT NULL,
    session_ends_at BIGINT,
    reason TEXT,
    mended_at BIGINT
);
CREATE INDEX glasses_by_patient ON glasses (patient_id, id);
