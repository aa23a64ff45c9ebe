-- Delivery reports of media buys (spec 2.11, 6.2). A stream for each buy with a reporting_webhook: opened_until is
-- the end of the last window that has a row, sequence_number that of the last report, totals the sums of what was
-- reported as JSON, unavailable how many windows never got figures. due_at: when there is something to do; while
-- somebody sees to it, the end of the lease; null when there is nothing. claim_no grows with every claim and every
-- change of the buy, and whoever holds an older one writes nothing.
CREATE TABLE report_streams (
  media_buy_id TEXT_C PRIMARY KEY REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  opened_until BIGINT,
  sequence_number INTEGER NOT NULL,
  totals TEXT NOT NULL,
  unavailable INTEGER NOT NULL,
  delay_ms BIGINT NOT NULL,
  final_at BIGINT,
  due_at BIGINT,
  claim_no BIGINT NOT NULL
);

CREATE INDEX report_streams_due ON report_streams (due_at, media_buy_id) WHERE due_at IS NOT NULL;

-- Every window that has ended, and how its report stands: state is owed, sent, delivered, late or given_up. kind is
-- window, or final for the last report, which is about the whole flight. sequence_number is that of the last report
-- about it; notification_types are those of all of them, with a comma between; figures are what it said last as
-- JSON, by their digest. is_settled: they are asked for no more. times are in milliseconds.
CREATE TABLE report_windows (
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  kind TEXT_C NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  owner TEXT_C NOT NULL,
  state TEXT_C NOT NULL,
  is_settled INTEGER NOT NULL,
  sequence_number INTEGER,
  notification_types TEXT NOT NULL,
  digest TEXT,
  expected_at BIGINT,
  sent_at BIGINT,
  ended_at BIGINT,
  reason TEXT,
  figures TEXT,
  PRIMARY KEY (media_buy_id, kind, start_at)
);

CREATE INDEX report_windows_open ON report_windows (media_buy_id, start_at) WHERE is_settled = 0;
CREATE INDEX report_windows_sent ON report_windows (sent_at, media_buy_id, kind, start_at)
  WHERE state = 'sent';
CREATE INDEX report_windows_missing ON report_windows (end_at, media_buy_id, kind)
  WHERE state IN ('owed', 'late', 'given_up');
CREATE INDEX report_windows_ended ON report_windows (media_buy_id, end_at, kind);

-- How the delivery of a report ended is found by its place in its stream. Webhooks without one are not in it.
CREATE INDEX webhook_deliveries_sequence ON webhook_deliveries (subject, sequence_number)
  WHERE sequence_number IS NOT NULL;

-- What the simulated ad server was told to deliver, and from when on, as JSON.
CREATE TABLE delivery_orders (
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  at BIGINT NOT NULL,
  packages TEXT NOT NULL,
  PRIMARY KEY (media_buy_id, place)
);
