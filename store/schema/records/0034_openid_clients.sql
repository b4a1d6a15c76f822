-- In which sector a client knows users, where it shares one with others; and how its id_tokens are signed, where not by RS256.
ALTER TABLE clients ADD COLUMN sector TEXT;
ALTER TABLE clients ADD COLUMN id_token_algorithm TEXT;
