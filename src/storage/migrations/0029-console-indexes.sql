-- Whoever looks for a delivery by its key finds it by the beginning of it: keys are random, so every delivery writes
-- another page of this index, and a short one has fewer of them.
DROP INDEX webhook_deliveries_key;
CREATE INDEX webhook_deliveries_key ON webhook_deliveries (substr(idempotency_key, 1, 8));
