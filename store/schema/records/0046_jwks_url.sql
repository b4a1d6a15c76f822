-- Where the keys of a client are, instead of `public_keys`. The one salt that goes with the URL is in `key_salts`: a node that does not
-- know the column finds a salt without a key, and refuses the client instead of taking it for one that need not prove itself.
ALTER TABLE clients ADD COLUMN jwks_url TEXT;
