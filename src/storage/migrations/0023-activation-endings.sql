-- origin: who answers for the run, a platform or the catalogue alone. ended_by: what ended it. Both were
-- read from the text before: from how the id of a run began, and from the reason that people are told. Runs
-- of the catalogue never have a handle, which is JSON of the platform's own.
ALTER TABLE signal_activations ADD COLUMN origin TEXT_C NOT NULL DEFAULT 'platform';

ALTER TABLE signal_activations ADD COLUMN ended_by TEXT_C;

UPDATE signal_activations SET origin = 'catalogue'
WHERE replace(activation, '"activation_id":"given_', '') <> activation
  AND replace(activation, '"handle":', '') = activation;

UPDATE signal_activations SET ended_by = CASE
  WHEN state = 'inactive'
    AND replace(activation, '"reason":"the task that activated it was canceled"', '') <> activation
    THEN 'cancellation'
  WHEN state = 'inactive'
    AND replace(activation, '"reason":"its principal was deleted"', '') <> activation
    THEN 'principal_deletion'
  WHEN state = 'inactive' THEN 'deactivation'
  WHEN replace(activation, '"reason":"it was not live in time"', '') <> activation THEN 'giving_up'
  ELSE 'platform' END
WHERE state IN ('inactive', 'failed');
