-- Who ended a session, where it was a person who is signed in.
ALTER TABLE sessions ADD COLUMN ender_id BIGINT;
