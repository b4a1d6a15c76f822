-- A value that several parameters find has one row in the index, and bodies are packed: every resource is read anew, in pieces,
-- before the store is served. A node of the release before can read neither: it is stopped first.
DELETE FROM index_tokens;
DELETE FROM index_texts;
DELETE FROM index_references;
DELETE FROM index_dates;
DELETE FROM index_amounts;
DELETE FROM index_uris;
UPDATE resources SET needs = -1;
