-- Whether a client gets no tokens but such as are bound to a key (RFC 9449).
ALTER TABLE clients ADD COLUMN dpop_bound BIGINT NOT NULL DEFAULT 0;
