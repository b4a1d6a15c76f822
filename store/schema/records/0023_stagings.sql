-- Index rows that a large write made before its resources are there, in small transactions: for each of these the resources whose
-- rows it made. They are taken away with the write's last transaction; what is left of a write that came to nothing is swept.
CREATE TABLE stagings (
    id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    resources TEXT NOT NULL,
    PRIMARY KEY (id, part)
);
