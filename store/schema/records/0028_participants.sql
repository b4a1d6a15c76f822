-- Who takes part in a conversation: teams and persons, by their numbers. Nearly nothing has such a row.
CREATE TABLE participants (
    resource_id BIGINT NOT NULL,
    viewer_id BIGINT NOT NULL,
    PRIMARY KEY (resource_id, viewer_id)
);
CREATE INDEX participants_by_viewer ON participants (viewer_id, resource_id);
-- Who wrote what a team's session drafted. It stays when the draft is sent, for the versions that were drafts.
CREATE TABLE drafters (
    resource_id BIGINT PRIMARY KEY,
    user_id BIGINT NOT NULL
);
-- Whether a version was a draft.
ALTER TABLE versions ADD COLUMN draft BIGINT NOT NULL DEFAULT 0;
-- Who has read which message: a patient, a person or a team. Null: not now; since when the first time.
CREATE TABLE message_marks (
    resource_id BIGINT NOT NULL,
    reader_id BIGINT NOT NULL,
    read_at BIGINT,
    first_read_at BIGINT,
    PRIMARY KEY (resource_id, reader_id)
);
-- The messages of a conversation, by its id; one of none is a conversation by its own.
CREATE TABLE conversations (
    conversation_id TEXT NOT NULL,
    resource_id BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, resource_id)
);
CREATE INDEX conversations_by_resource ON conversations (resource_id);
-- Messages (23) and plans (14) are read anew: for whom they are is noted from now on.
UPDATE resources SET needs = -1 WHERE type IN (14, 23) AND deleted_at IS NULL;
