-- In whose words a task's webhooks tell what is wrong: NULL is the specification's, as before.
ALTER TABLE tasks ADD COLUMN generation TEXT;
