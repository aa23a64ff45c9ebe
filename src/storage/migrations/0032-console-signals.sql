-- Signals in the console: the activations of a signal, whoever's they are; signals by the state of their
-- activations; and whether anything has changed.
CREATE INDEX signal_activations_signal ON signal_activations (signal_agent_segment_id, changed_at);
CREATE INDEX signal_activations_state ON signal_activations
  (state, signal_agent_segment_id, principal_id);
CREATE INDEX signal_activations_latest ON signal_activations (changed_at);

-- The catalogue by provider and by type, in pages; and the providers, each found from the one before it.
CREATE INDEX signals_provider ON signals (data_provider, signal_agent_segment_id);
CREATE INDEX signals_type ON signals (signal_type, signal_agent_segment_id);
