-- How many people have to approve it, and the first of two: who, when, and the note.
ALTER TABLE media_buy_approvals ADD COLUMN needed INTEGER NOT NULL DEFAULT 1;
ALTER TABLE media_buy_approvals ADD COLUMN first_by TEXT_C;
ALTER TABLE media_buy_approvals ADD COLUMN first_at BIGINT;
