-- The Team Coordinator who granted a team's session. The grant is the team's; this says whose hand it was.
ALTER TABLE sessions ADD COLUMN granter_id BIGINT;
UPDATE sessions SET granter_id = g.user_id
    FROM (SELECT session_id, user_id FROM ledger WHERE event = 'granted' AND team_id IS NOT NULL) g
    WHERE g.session_id = sessions.id AND sessions.team_id IS NOT NULL;
