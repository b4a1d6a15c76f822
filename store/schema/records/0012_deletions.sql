-- When a resource was deleted, on its own row and on the version that says so; null for what is there. A node of the release
-- before takes such a row for a damaged one, and answers by none of it.
ALTER TABLE resources ADD COLUMN deleted_at BIGINT;
ALTER TABLE versions ADD COLUMN deleted_at BIGINT;
