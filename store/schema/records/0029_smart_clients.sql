-- What a client is registered for beside the contract's scopes: SMART's, and who may sign in with it where it has none of the contract's.
ALTER TABLE clients ADD COLUMN smart_scopes TEXT NOT NULL DEFAULT '';
ALTER TABLE clients ADD COLUMN user_types TEXT NOT NULL DEFAULT '';
