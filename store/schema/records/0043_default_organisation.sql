-- For which organisation a client acts where a call names none, by its public id.
ALTER TABLE clients ADD COLUMN default_organisation TEXT;
