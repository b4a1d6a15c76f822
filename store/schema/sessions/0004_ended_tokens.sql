-- Access tokens of System Clients that were ended before their time. Such a token has no session whose row could say so:
-- it is known by its client and the random number inside it, and kept until it would have expired anyway.
CREATE TABLE ended_tokens (
    client_id BIGINT NOT NULL,
    token BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (client_id, token)
);
CREATE INDEX ended_tokens_by_expiry ON ended_tokens (expires_at);
