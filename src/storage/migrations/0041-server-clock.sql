-- The last time that a server noted, by the database's clock: a start at quite another time may be one with a wrong clock.
CREATE TABLE server_clock (
  id INTEGER PRIMARY KEY,
  seen_at BIGINT NOT NULL
);
