-- What a session is about, where its user had a choice: the record of a patient whom they care for, or one of their teams.
ALTER TABLE sessions ADD COLUMN record_id BIGINT;
ALTER TABLE sessions ADD COLUMN for_team_id BIGINT;
