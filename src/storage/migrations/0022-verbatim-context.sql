-- context_verbatim: the context as it was written, where `context` spells it in another way. What is sought
-- in a context is sought in the one spelling.
ALTER TABLE tasks ADD COLUMN context_verbatim TEXT;
