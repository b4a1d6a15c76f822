-- The SMART scopes that were granted, as the session keeps them, behind the contract's word where that was asked for too; NULL for
-- a session that was asked for in the contract's words alone.
ALTER TABLE sessions ADD COLUMN smart_scopes TEXT;
