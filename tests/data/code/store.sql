-- Pumps.
CREATE TABLE plant.pumps (
    number integer PRIMARY KEY,
    name text NOT NULL
);

-- Names of pumps.
CREATE VIEW names AS
SELECT name
FROM plant.pumps;

INSERT INTO plant.pumps (number, name) VALUES (1, 'first');
