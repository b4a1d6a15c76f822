-- When a second factor was proven last in a browser, and whether its user came by a link that reset it.
ALTER TABLE sign_ins ADD COLUMN factor_at BIGINT;
ALTER TABLE sign_ins ADD COLUMN by_link BIGINT NOT NULL DEFAULT 0;
