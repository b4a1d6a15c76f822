-- Where somebody is signed in: what their browser is called, coarsely, and when it was last used, to some minutes.
ALTER TABLE sign_ins ADD COLUMN browser TEXT;
ALTER TABLE sign_ins ADD COLUMN last_used_at BIGINT;
CREATE INDEX sign_ins_by_user ON sign_ins (user_id) WHERE ended_at IS NULL;
