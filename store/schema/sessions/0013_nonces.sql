-- What comes back in the id_token as it was sent (OpenID Connect).
ALTER TABLE sessions ADD COLUMN nonce TEXT;
