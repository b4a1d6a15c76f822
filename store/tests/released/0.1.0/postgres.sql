CREATE TABLE public.clients (
    id bigint NOT NULL,
    client_id text NOT NULL,
    kind text NOT NULL,
    owner text NOT NULL,
    product text NOT NULL,
    redirect_uris text NOT NULL,
    scopes text NOT NULL,
    secret_fingerprint bytea,
    session_seconds bigint,
    access_seconds bigint NOT NULL,
    refresh_tokens bigint NOT NULL,
    require_pkce bigint NOT NULL,
    retry_seconds bigint NOT NULL,
    scope_echo text NOT NULL,
    redirect_extra_query bigint NOT NULL,
    disabled_at bigint
);
CREATE TABLE public.ledger (
    id bigint NOT NULL,
    at bigint NOT NULL,
    event text NOT NULL,
    session_id bigint,
    client_id bigint,
    user_id bigint,
    team_id bigint,
    organisation_id bigint,
    patient_id text,
    detail text,
    times bigint NOT NULL
);
CREATE TABLE public.memberships (
    user_id bigint NOT NULL,
    team_id bigint NOT NULL
);
CREATE TABLE public.migrations (
    name text NOT NULL
);
CREATE TABLE public.organisation_grants (
    organisation_id bigint NOT NULL,
    client_id bigint NOT NULL,
    granted_at bigint NOT NULL,
    withdrawn_at bigint
);
CREATE TABLE public.organisations (
    id bigint NOT NULL,
    public_id text NOT NULL,
    name text NOT NULL
);
CREATE TABLE public.read_receipts (
    resource_id bigint NOT NULL,
    read_at bigint NOT NULL
);
CREATE TABLE public.registrations (
    patient_id text NOT NULL,
    team_id bigint NOT NULL
);
CREATE TABLE public.resources (
    id bigint NOT NULL,
    type_id bigint NOT NULL,
    fhir_id text NOT NULL,
    version bigint NOT NULL,
    updated_at bigint NOT NULL,
    deleted_at bigint,
    source_organisation_id bigint,
    source_team_id bigint,
    source_patient_id text,
    patient_id text,
    body text NOT NULL
);
CREATE TABLE public.sessions (
    id bigint NOT NULL,
    salt bytea NOT NULL,
    client_id bigint NOT NULL,
    user_id bigint,
    team_id bigint,
    scope text NOT NULL,
    scope_spelt text,
    redirect_uri text,
    redirect_uri_sent bigint NOT NULL,
    challenge text,
    granted_at bigint NOT NULL,
    ends_at bigint,
    code_redeemed_at bigint,
    generation bigint NOT NULL,
    rotated_at bigint,
    revoked_at bigint,
    revoked_why text
);
CREATE TABLE public.settings (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.sign_ins (
    id bigint NOT NULL,
    salt bytea NOT NULL,
    user_id bigint NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint
);
CREATE TABLE public.spent_forms (
    id bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.teams (
    id bigint NOT NULL,
    public_id text NOT NULL,
    organisation_id bigint NOT NULL,
    name text NOT NULL
);
CREATE TABLE public.tokens (
    type_id bigint NOT NULL,
    parameter_id bigint NOT NULL,
    value text NOT NULL,
    system_id bigint NOT NULL,
    resource_id bigint NOT NULL
);
CREATE TABLE public.users (
    id bigint NOT NULL,
    username text NOT NULL,
    password_hash text NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    patient_id text,
    frozen_at bigint
);
CREATE TABLE public.words (
    id bigint NOT NULL,
    word text NOT NULL
);
INSERT INTO public.clients VALUES (380503568065183755, 'diary', 'user', 'Nightjar Health Ltd', 'Diary', 'http://127.0.0.1/callback', 'PATIENT CLINICIAN', NULL, NULL, 86400, 1, 0, 0, 'lower', 0, NULL);
INSERT INTO public.clients VALUES (380503568065183756, 'ward-board', 'user', 'Nightjar Health Ltd', 'Ward Board', 'http://127.0.0.1/callback', 'CLINICIAN TEAMCOORD', '\x6e6a839e96cf4d1cf26e4cc0f93dfbc516b4176a3ec2c345c7382fffeadfbe32', 7776000, 600, 1, 0, 0, 'lower', 0, NULL);
INSERT INTO public.clients VALUES (380503568065183757, 'letter-sender', 'system', 'Postbridge', 'Letter Sender', '', '', '\x64c9befa3b071e476ea47eaaf0c65a14ab9e993567ffc7c18565f83a84c351e1', NULL, 86400, 0, 0, 0, 'lower', 0, NULL);
INSERT INTO public.clients VALUES (380503568065183758, 'clinic-link', 'tethered', 'Clinic Link BV', 'Clinic Link', '', '', NULL, NULL, 86400, 1, 0, 0, 'lower', 0, NULL);
INSERT INTO public.ledger VALUES (380503568065183759, 1794786320041, 'organisation-granted', NULL, 380503568065183757, NULL, NULL, 380503568065183744, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503570026299393, 1794786320508, 'granted', 380503570026299392, 380503568065183755, 380503568065183749, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503570483478528, 1794786320617, 'code-redeemed', 380503570026299392, 380503568065183755, 380503568065183749, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503570525421569, 1794786320627, 'granted', 380503570525421568, 380503568065183755, 380503568065183749, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503570785468416, 1794786320689, 'code-redeemed', 380503570525421568, 380503568065183755, 380503568065183749, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503570865160192, 1794786320708, 'refreshed', 380503570525421568, 380503568065183755, 380503568065183749, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503570961629185, 1794786320731, 'granted', 380503570961629184, 380503568065183755, 380503568065183749, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503571133595648, 1794786320772, 'code-redeemed', 380503570961629184, 380503568065183755, 380503568065183749, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503571196510208, 1794786320787, 'refreshed', 380503570961629184, 380503568065183755, 380503568065183749, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503571234258944, 1794786320796, 'revoked', 380503570961629184, 380503568065183755, 380503568065183749, NULL, NULL, NULL, 'refresh-token-replayed', 1);
INSERT INTO public.ledger VALUES (380503571297173505, 1794786320811, 'granted', 380503571297173504, 380503568065183755, 380503568065183752, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503571485917184, 1794786320856, 'code-redeemed', 380503571297173504, 380503568065183755, 380503568065183752, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503571582386177, 1794786320879, 'granted', 380503571582386176, 380503568065183758, 380503568065183753, 380503568065183746, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503571641106432, 1794786320893, 'refreshed', 380503571582386176, 380503568065183758, NULL, 380503568065183746, NULL, NULL, NULL, 1);
INSERT INTO public.ledger VALUES (380503571708215296, 1794786320909, 'document-read', NULL, NULL, NULL, NULL, NULL, 'amina-osei', '380503568579686403', 1);
INSERT INTO public.ledger VALUES (380503571817267200, 1794786320935, 'accessed', NULL, 380503568065183755, 380503568065183752, 380503568065183746, NULL, 'amina-osei', 'Patient', 1);
INSERT INTO public.ledger VALUES (380503571817267201, 1794786320904, 'accessed', NULL, 380503568065183755, 380503568065183749, NULL, NULL, 'amina-osei', 'Patient', 1);
INSERT INTO public.ledger VALUES (380503571817267202, 1794786320909, 'accessed', NULL, 380503568065183755, 380503568065183749, NULL, NULL, 'amina-osei', 'Binary', 1);
INSERT INTO public.memberships VALUES (380503568065183752, 380503568065183746);
INSERT INTO public.memberships VALUES (380503568065183753, 380503568065183746);
INSERT INTO public.migrations VALUES ('records/0001_world');
INSERT INTO public.migrations VALUES ('records/0002_resources');
INSERT INTO public.migrations VALUES ('sessions/0001_sessions');
INSERT INTO public.organisation_grants VALUES (380503568065183744, 380503568065183757, 1794786320041, NULL);
INSERT INTO public.organisations VALUES (380503568065183744, '6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01', 'Northmoor Hospital');
INSERT INTO public.organisations VALUES (380503568065183745, '6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a02', 'Eastfield Surgery');
INSERT INTO public.read_receipts VALUES (380503568579686403, 1794786320909);
INSERT INTO public.registrations VALUES ('amina-osei', 380503568065183746);
INSERT INTO public.registrations VALUES ('amina-osei', 380503568065183748);
INSERT INTO public.registrations VALUES ('ben-ferrar', 380503568065183747);
INSERT INTO public.resources VALUES (380503568579686400, 1, 'amina-osei', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, 'amina-osei', '{"resourceType":"Patient","id":"amina-osei","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z"},"identifier":[{"system":"https://fhir.nhs.uk/Id/nhs-number","value":"9990000018"},{"value":"N-1"}],"name":[{"family":"Osei","given":["Amina"]}],"gender":"female","birthDate":"1984-03-09"}');
INSERT INTO public.resources VALUES (380503568579686401, 1, 'ben-ferrar', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, 'ben-ferrar', '{"resourceType":"Patient","id":"ben-ferrar","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z"},"identifier":[{"system":"https://fhir.nhs.uk/Id/nhs-number","value":"9990000026"}],"name":[{"family":"Ferrar","given":["Ben"]}],"gender":"male","birthDate":"1991-11-30"}');
INSERT INTO public.resources VALUES (380503568579686402, 4, 'letter-1-content', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, NULL, '{"resourceType":"Binary","id":"letter-1-content","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z"},"contentType":"text/plain","data":"RGVhciBBbWluYSwgeW91ciBhcHBvaW50bWVudCBpcyBvbiBUdWVzZGF5Lg=="}');
INSERT INTO public.resources VALUES (380503568579686403, 5, 'letter-1', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, 'amina-osei', '{"resourceType":"DocumentReference","id":"letter-1","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z"},"identifier":[{"system":"https://northmoor.example/documents","value":"d0c-1"}],"status":"current","subject":{"reference":"Patient/amina-osei"},"description":"Appointment letter","content":[{"attachment":{"contentType":"text/plain","url":"Binary/letter-1-content"}}]}');
INSERT INTO public.resources VALUES (380503568579686404, 5, 'letter-2', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, 'amina-osei', '{"resourceType":"DocumentReference","id":"letter-2","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z"},"identifier":[{"system":"https://northmoor.example/documents","value":"d0c-2"}],"status":"current","subject":{"reference":"Patient/amina-osei"},"description":"Names a scan of somebody else''s","content":[{"attachment":{"contentType":"text/plain","url":"Binary/scan-1"}}]}');
INSERT INTO public.resources VALUES (380503568579686405, 8, 'couple', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, 'amina-osei', '{"resourceType":"Appointment","id":"couple","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z","security":[{"system":"http://terminology.hl7.org/CodeSystem/v3-Confidentiality","code":"N"}]},"status":"booked","participant":[{"actor":{"reference":"Patient/amina-osei"},"status":"accepted"},{"actor":{"reference":"Patient/ben-ferrar"},"status":"accepted"},{"actor":{"reference":"Practitioner/grey"},"status":"accepted"}]}');
INSERT INTO public.resources VALUES (380503568579686406, 9, 'ward-3', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, 'ben-ferrar', '{"resourceType":"Group","id":"ward-3","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z"},"type":"person","actual":true,"member":[{"entity":{"reference":"Patient/ben-ferrar"}},{"entity":{"reference":"Patient/chloe-brandt"}}]}');
INSERT INTO public.resources VALUES (380503568579686407, 10, 'low-mood', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, 'ben-ferrar', '{"resourceType":"Condition","id":"low-mood","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z","security":[{"system":"urn:recordgate:privacy-label","code":"MENTAL_HEALTH"}]},"subject":{"reference":"Patient/ben-ferrar"}}');
INSERT INTO public.resources VALUES (380503568579686408, 11, 'undecided', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, 'ben-ferrar', '{"resourceType":"Observation","id":"undecided","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z","security":[{"system":"urn:recordgate:privacy-label","code":"MENTAL_HEALTH"},{"system":"urn:recordgate:privacy-label","code":"SOCIAL_CARE"}]},"status":"final","code":{"text":"Two labels"},"subject":{"reference":"Patient/ben-ferrar"}}');
INSERT INTO public.resources VALUES (380503568579686409, 12, 'grey', 1, 1794786320163, NULL, 380503568065183744, NULL, NULL, NULL, '{"resourceType":"Practitioner","id":"grey","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.163Z"},"identifier":[{"system":"https://northmoor.example/staff","value":"g-1"}],"name":[{"family":"Grey"}]}');
INSERT INTO public.resources VALUES (380503568920633344, 1, 'chloe-brandt', 1, 1794786320245, NULL, 380503568065183745, NULL, NULL, 'chloe-brandt', '{"resourceType":"Patient","id":"chloe-brandt","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.245Z"},"identifier":[{"system":"https://fhir.nhs.uk/Id/nhs-number","value":"9990000034"},{"value":"N-1"}],"name":[{"family":"Brandt","given":["Chloe"]}],"birthDate":"1979-06-21"}');
INSERT INTO public.resources VALUES (380503568920633345, 4, 'scan-1', 1, 1794786320245, NULL, 380503568065183745, NULL, NULL, NULL, '{"resourceType":"Binary","id":"scan-1","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.245Z"},"contentType":"text/plain","data":"RWFzdGZpZWxkJ3Mgc2Nhbg=="}');
INSERT INTO public.resources VALUES (380503568920633346, 10, 'private-matter', 1, 1794786320245, NULL, 380503568065183745, NULL, NULL, 'amina-osei', '{"resourceType":"Condition","id":"private-matter","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.245Z","security":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ActCode","code":"SEX"}]},"subject":{"reference":"Patient/amina-osei"}}');
INSERT INTO public.resources VALUES (380503568920633347, 10, 'protected', 1, 1794786320245, NULL, 380503568065183745, NULL, NULL, 'amina-osei', '{"resourceType":"Condition","id":"protected","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.245Z","security":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ActCode","code":"SPI"}]},"subject":{"reference":"Patient/amina-osei"}}');
INSERT INTO public.resources VALUES (380503568920633348, 14, 'looked', 1, 1794786320245, NULL, 380503568065183745, NULL, NULL, 'amina-osei', '{"resourceType":"AuditEvent","id":"looked","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.245Z"},"recorded":"2026-05-01T10:00:00Z","agent":[{"who":{"reference":"Patient/amina-osei"},"requestor":true}]}');
INSERT INTO public.resources VALUES (380503569209073664, 11, 'sleep-1', 1, 1794786320313, NULL, 380503568065183744, 380503568065183746, NULL, 'amina-osei', '{"resourceType":"Observation","id":"sleep-1","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.313Z","security":[{"system":"urn:recordgate:privacy-label","code":"GENERAL_HEALTH"}]},"identifier":[{"value":"night-1"}],"status":"final","code":{"text":"Hours slept"},"subject":{"reference":"Patient/amina-osei"},"valueQuantity":{"value":6.50}}');
INSERT INTO public.resources VALUES (380503569209073665, 11, 'sleep-2', 2, 1794786320419, NULL, 380503568065183744, 380503568065183746, NULL, 'chloe-brandt', '{"resourceType":"Observation","id":"sleep-2","meta":{"versionId":"2","lastUpdated":"2026-11-15T23:45:20.419Z"},"status":"final","code":{"text":"Hours slept"},"subject":{"reference":"Patient/chloe-brandt"},"valueQuantity":{"value":8}}');
INSERT INTO public.resources VALUES (380503571783712768, 5, 'cb207322-f078-4b29-85d8-0127904c2b7e', 1, 1794786320927, NULL, NULL, NULL, 'amina-osei', 'amina-osei', '{"resourceType":"DocumentReference","id":"cb207322-f078-4b29-85d8-0127904c2b7e","meta":{"versionId":"1","lastUpdated":"2026-11-15T23:45:20.927Z"},"status":"current","subject":{"reference":"Patient/amina-osei"},"description":"My own note","content":[{"attachment":{"contentType":"text/plain","data":"SGVsbG8="}}]}');
INSERT INTO public.sessions VALUES (380503570026299392, '\x422b6d61862fb16936bb854a0f505a16', 380503568065183755, 380503568065183749, NULL, 'PATIENT', 'PATIENT', 'http://127.0.0.1/callback', 0, NULL, 1794786320508, NULL, 1794786320617, 1, 1794786320617, NULL, NULL);
INSERT INTO public.sessions VALUES (380503570525421568, '\x2fc7d4b439d933cfae8c4f8453a81d38', 380503568065183755, 380503568065183749, NULL, 'PATIENT', 'PATIENT', 'http://127.0.0.1/callback', 0, NULL, 1794786320627, NULL, 1794786320689, 2, 1794786320708, NULL, NULL);
INSERT INTO public.sessions VALUES (380503570961629184, '\x7c5827e33f2c0c0e1572bb13cbb780d3', 380503568065183755, 380503568065183749, NULL, 'PATIENT', 'PATIENT', 'http://127.0.0.1/callback', 0, NULL, 1794786320731, NULL, 1794786320772, 2, 1794786320787, 1794786320796, 'refresh-token-replayed');
INSERT INTO public.sessions VALUES (380503571297173504, '\xb30ac2a8b06d7492fe09188a70866d67', 380503568065183755, 380503568065183752, NULL, 'CLINICIAN', 'CLINICIAN', 'http://127.0.0.1/callback', 0, NULL, 1794786320811, NULL, 1794786320856, 1, 1794786320856, NULL, NULL);
INSERT INTO public.sessions VALUES (380503571582386176, '\x5220d2010ce593ee6d1f19faa81b2edf', 380503568065183758, NULL, 380503568065183746, 'SITE', NULL, NULL, 0, NULL, 1794786320879, NULL, NULL, 2, 1794786320893, NULL, NULL);
INSERT INTO public.spent_forms VALUES (1353746406618235634, 1794788120808);
INSERT INTO public.spent_forms VALUES (2694988483369911462, 1794788120623);
INSERT INTO public.spent_forms VALUES (4704615503148675103, 1794788120727);
INSERT INTO public.spent_forms VALUES (6081253735645734005, 1794788120505);
INSERT INTO public.teams VALUES (380503568065183746, 'a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01', 380503568065183744, 'Sleep Clinic');
INSERT INTO public.teams VALUES (380503568065183747, 'a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b02', 380503568065183744, 'Diabetes Team');
INSERT INTO public.teams VALUES (380503568065183748, 'a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b03', 380503568065183745, 'Practice Team');
INSERT INTO public.tokens VALUES (1, 2, '9990000018', 3, 380503568579686400);
INSERT INTO public.tokens VALUES (1, 2, 'N-1', 0, 380503568579686400);
INSERT INTO public.tokens VALUES (1, 2, '9990000026', 3, 380503568579686401);
INSERT INTO public.tokens VALUES (5, 2, 'd0c-1', 6, 380503568579686403);
INSERT INTO public.tokens VALUES (5, 7, 'letter-1-content', 0, 380503568579686403);
INSERT INTO public.tokens VALUES (5, 2, 'd0c-2', 6, 380503568579686404);
INSERT INTO public.tokens VALUES (5, 7, 'scan-1', 0, 380503568579686404);
INSERT INTO public.tokens VALUES (12, 2, 'g-1', 13, 380503568579686409);
INSERT INTO public.tokens VALUES (1, 2, '9990000034', 3, 380503568920633344);
INSERT INTO public.tokens VALUES (1, 2, 'N-1', 0, 380503568920633344);
INSERT INTO public.tokens VALUES (11, 2, 'night-1', 0, 380503569209073664);
INSERT INTO public.users VALUES (380503568065183749, 'amina', '$argon2id$v=19$m=19456,t=2,p=1$skQzD1ya6QY8Zmy5BfcJMw$g+1+b8nA7SOuOTvOha4fZkS+P5LgEDjovHkWG0xWctE', 'PATIENT', 'Amina Osei', 'amina-osei', NULL);
INSERT INTO public.users VALUES (380503568065183750, 'ben', '$argon2id$v=19$m=19456,t=2,p=1$LPwWvZVipzP/kWcHGGFWVg$gw5N6RQTsBRD9uPanLpEyQAPJm7tJxpo/mwrC9gCp2Q', 'PATIENT', 'Ben Ferrar', 'ben-ferrar', NULL);
INSERT INTO public.users VALUES (380503568065183751, 'chloe', '$argon2id$v=19$m=19456,t=2,p=1$3OCwAc1U8UDTFBBH8151HA$yHyXcT0AR6FIObCzAWbmj5rISjWoxkfQngO4e5aX1Nw', 'PATIENT', 'Chloe Brandt', 'chloe-brandt', NULL);
INSERT INTO public.users VALUES (380503568065183752, 'dr.lindqvist', '$argon2id$v=19$m=19456,t=2,p=1$yo2nVnyVFMx38Z6sB6xGSw$a92AclBbfla1pgSXesndZ+fHn5S/FzISH00Ittybvv4', 'CLINICIAN', 'Dr Maja Lindqvist', NULL, NULL);
INSERT INTO public.users VALUES (380503568065183753, 'coordinator', '$argon2id$v=19$m=19456,t=2,p=1$eA1vx9v3KtUN6sTTiZIxOw$br7pci0vNNhP0RDn0zIj0bwR7b/xww0kTTM9cIpJaZ8', 'TEAMCOORD', 'Tomas Reyes', NULL, NULL);
INSERT INTO public.users VALUES (380503568065183754, 'operator', '$argon2id$v=19$m=19456,t=2,p=1$xDRSn7DXStWKb4SUIjlibA$jCbh1xo5O482L+XYc2AeZ/TPAZzDBU6bOejHG6Gg110', 'ADMIN', 'Ira Voss', NULL, NULL);
INSERT INTO public.words VALUES (1, 'Patient');
INSERT INTO public.words VALUES (2, 'identifier');
INSERT INTO public.words VALUES (3, 'https://fhir.nhs.uk/Id/nhs-number');
INSERT INTO public.words VALUES (4, 'Binary');
INSERT INTO public.words VALUES (5, 'DocumentReference');
INSERT INTO public.words VALUES (6, 'https://northmoor.example/documents');
INSERT INTO public.words VALUES (7, 'content');
INSERT INTO public.words VALUES (8, 'Appointment');
INSERT INTO public.words VALUES (9, 'Group');
INSERT INTO public.words VALUES (10, 'Condition');
INSERT INTO public.words VALUES (11, 'Observation');
INSERT INTO public.words VALUES (12, 'Practitioner');
INSERT INTO public.words VALUES (13, 'https://northmoor.example/staff');
INSERT INTO public.words VALUES (14, 'AuditEvent');
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_client_id_key UNIQUE (client_id);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (user_id, team_id);
ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.organisation_grants
    ADD CONSTRAINT organisation_grants_pkey PRIMARY KEY (organisation_id, client_id);
ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY public.read_receipts
    ADD CONSTRAINT read_receipts_pkey PRIMARY KEY (resource_id);
ALTER TABLE ONLY public.registrations
    ADD CONSTRAINT registrations_pkey PRIMARY KEY (patient_id, team_id);
ALTER TABLE ONLY public.resources
    ADD CONSTRAINT resources_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.resources
    ADD CONSTRAINT resources_type_id_fhir_id_key UNIQUE (type_id, fhir_id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.spent_forms
    ADD CONSTRAINT spent_forms_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (type_id, parameter_id, value, system_id, resource_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_username_key UNIQUE (username);
ALTER TABLE ONLY public.words
    ADD CONSTRAINT words_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.words
    ADD CONSTRAINT words_word_key UNIQUE (word);
CREATE INDEX ledger_by_patient ON public.ledger USING btree (patient_id, id) WHERE (patient_id IS NOT NULL);
CREATE INDEX ledger_by_user ON public.ledger USING btree (user_id, id) WHERE ((user_id IS NOT NULL) AND (event <> 'refreshed'::text));
CREATE INDEX resources_by_patient ON public.resources USING btree (patient_id, type_id);
CREATE INDEX sessions_by_team ON public.sessions USING btree (team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX sessions_ending ON public.sessions USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX sessions_revoked ON public.sessions USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);
CREATE INDEX sessions_unredeemed ON public.sessions USING btree (granted_at) WHERE (generation = 0);
CREATE INDEX sign_ins_by_start ON public.sign_ins USING btree (started_at);
CREATE INDEX spent_forms_by_expiry ON public.spent_forms USING btree (expires_at);
CREATE INDEX tokens_by_resource ON public.tokens USING btree (resource_id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.organisation_grants
    ADD CONSTRAINT organisation_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id);
ALTER TABLE ONLY public.organisation_grants
    ADD CONSTRAINT organisation_grants_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);
ALTER TABLE ONLY public.registrations
    ADD CONSTRAINT registrations_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);
ALTER TABLE ONLY public.resources
    ADD CONSTRAINT resources_type_id_fkey FOREIGN KEY (type_id) REFERENCES public.words(id);
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES public.resources(id);
