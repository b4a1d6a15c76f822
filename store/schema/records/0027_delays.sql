-- What is held back from the patient and carers, until background work releases it: results as a whole, of documents their content.
CREATE TABLE delays (
    resource_id BIGINT PRIMARY KEY,
    until BIGINT NOT NULL
);
CREATE INDEX delays_by_end ON delays (until, resource_id);
