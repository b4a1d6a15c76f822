-- Which ids a System Client may choose in an organisation's name: `uuid` or `any`; NULL where nothing was said of it, which is `uuid`.
ALTER TABLE organisation_grants ADD COLUMN client_ids TEXT;
