-- The scope operator could also decide on media buys and manage principals and keys, which have scopes of their own now.
-- Principals that had it keep what they could do. A list of words in JSON: no quoted word is contained in another.
UPDATE principals SET scopes = replace(scopes, '"operator"', '"operator","approver","admin"')
WHERE scopes LIKE '%"operator"%' AND scopes NOT LIKE '%"admin"%';
