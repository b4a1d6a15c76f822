-- Whether the Patient resource says that the patient has died: asked at every call of the patient's own sessions. The
-- Patients that are there are read anew for it.
ALTER TABLE patients ADD COLUMN deceased BIGINT NOT NULL DEFAULT 0;
UPDATE resources SET needs = -1 WHERE type = 103;
CREATE INDEX users_by_patient ON users (patient_id) WHERE patient_id IS NOT NULL;
