-- Where an app is opened from the pages here (SMART's EHR launch), and where browsers may be led when their user has signed out.
ALTER TABLE clients ADD COLUMN launch_url TEXT;
ALTER TABLE clients ADD COLUMN post_logout_redirect_uris TEXT NOT NULL DEFAULT '';
