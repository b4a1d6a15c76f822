-- By what a second factor was shown: in a browser last, and when a session was granted. Nothing: there was none, or it was a release before.
ALTER TABLE sign_ins ADD COLUMN factor TEXT;
ALTER TABLE sessions ADD COLUMN factor TEXT;
