-- Mail that waits to be sent; in a sandbox also what would have been sent. What a mail says, and what opens its link, is made
-- when it is sent, and is not here.
CREATE TABLE mails (
    id BIGINT PRIMARY KEY,
    kind TEXT NOT NULL,
    -- What somebody typed who has forgotten their password: the name or the address of an account, or of none.
    typed TEXT,
    -- Otherwise whom it is about, and where it goes.
    user_id BIGINT,
    address TEXT,
    tries BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    -- In a sandbox: that it would have been sent, and with which link.
    shown BIGINT NOT NULL DEFAULT 0,
    link_id BIGINT
);
CREATE INDEX mails_by_turn ON mails (shown, next_at);
-- The e-mail address that somebody has confirmed, in lower case.
CREATE TABLE addresses (
    user_id BIGINT PRIMARY KEY REFERENCES users (id),
    address TEXT NOT NULL UNIQUE,
    confirmed_at BIGINT NOT NULL
);
-- Links that were sent to people: one for each account and purpose, and a newer one takes the place of the last.
CREATE TABLE account_links (
    user_id BIGINT NOT NULL REFERENCES users (id),
    purpose TEXT NOT NULL,
    id BIGINT NOT NULL UNIQUE,
    salt BYTEA NOT NULL,
    -- Where it was sent.
    address TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, purpose)
);
CREATE INDEX account_links_by_expiry ON account_links (expires_at);
