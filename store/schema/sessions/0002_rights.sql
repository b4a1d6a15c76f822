-- By which right a record was looked at.
ALTER TABLE ledger ADD COLUMN by_right TEXT;
