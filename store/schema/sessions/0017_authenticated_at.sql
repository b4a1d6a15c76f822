-- When somebody proved who they are who approved with a browser's sign-in; NULL: when they approved.
ALTER TABLE sessions ADD COLUMN authenticated_at BIGINT;
