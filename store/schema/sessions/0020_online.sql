-- The sign-in of a browser with which a session ends (online_access); NULL: it ends with none.
ALTER TABLE sessions ADD COLUMN sign_in_id BIGINT;
-- A client that withdraws its registration takes its sessions along.
CREATE INDEX sessions_by_client ON sessions (client_id) WHERE revoked_at IS NULL;
