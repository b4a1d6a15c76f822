-- The history of a type and of everything, newest first: in the order of the moments, so that a page is a walk that ends where
-- it is full. A past version says its type itself, which it shares with its resource.
ALTER TABLE versions ADD COLUMN type BIGINT;
UPDATE versions SET type = (SELECT r.type FROM resources r WHERE r.id = versions.resource_id);
CREATE INDEX resources_by_moment ON resources (updated_at, id);
CREATE INDEX resources_by_type_and_moment ON resources (type, updated_at, id);
CREATE INDEX versions_by_moment ON versions (updated_at, resource_id, version);
CREATE INDEX versions_by_type_and_moment ON versions (type, updated_at, resource_id, version);
