-- The content of Binaries, out of their bodies: in pieces that are read one by one.
CREATE TABLE contents (
    id BIGINT PRIMARY KEY,
    -- The version of a Binary that this is the content of.
    resource_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    length BIGINT NOT NULL,
    -- The hash of each piece, one behind the other. The body of the Binary has a hash of them all.
    hashes BYTEA NOT NULL,
    UNIQUE (resource_id, version)
);
CREATE TABLE content_pieces (
    content_id BIGINT NOT NULL,
    -- Counted from 0.
    number BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (content_id, number)
);
-- The versions of Binaries whose content is still in their bodies; taken out one by one before the store is served.
CREATE TABLE contents_inside (
    resource_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (resource_id, version)
);
INSERT INTO contents_inside (resource_id, version)
    SELECT id, version FROM resources WHERE type = 9
    UNION ALL
    SELECT v.resource_id, v.version FROM resources r JOIN versions v ON v.resource_id = r.id WHERE r.type = 9;
