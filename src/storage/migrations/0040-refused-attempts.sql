-- Refused sign-ins and requests of the console: where they came from, with which key, how many attempts an entry stands
-- for, and when the last of them was. An entry of one attempt has no last_at.
ALTER TABLE console_audit ADD COLUMN address TEXT_C;
ALTER TABLE console_audit ADD COLUMN key_id TEXT_C;
ALTER TABLE console_audit ADD COLUMN attempts BIGINT NOT NULL DEFAULT 1;
ALTER TABLE console_audit ADD COLUMN last_at BIGINT;

CREATE INDEX console_audit_address ON console_audit (address, audit_id) WHERE address IS NOT NULL;
CREATE INDEX console_audit_refused ON console_audit (audit_id) WHERE outcome = 'refused';
CREATE INDEX console_audit_last ON console_audit (last_at) WHERE last_at IS NOT NULL;
