-- A hash beside every stored resource and version, so that a bit that changed on disk is an error and never an answer:
-- of its content, and of the labels and the source by which it is seen. A node of the release before writes none.
ALTER TABLE resources ADD COLUMN content_hash BYTEA;
ALTER TABLE resources ADD COLUMN standing_hash BYTEA;
ALTER TABLE versions ADD COLUMN content_hash BYTEA;
-- All resources are read anew once more, and get theirs.
UPDATE resources SET needs = -1;
