-- What the last examination of an agent found out by calling it: JSON, or null if it was never examined.
ALTER TABLE agent_compliance ADD COLUMN probe TEXT;
