-- Whose a key is, by what is shown of it: the console finds a principal so.
CREATE INDEX api_keys_hint ON api_keys (hint);
