-- The public keys of a client that signs instead of having a secret: a JWK on each line.
ALTER TABLE clients ADD COLUMN public_keys TEXT;
-- Sixteen random bytes for each of them, in their order: what vouches for the access tokens that were got with it.
ALTER TABLE clients ADD COLUMN key_salts BYTEA;
