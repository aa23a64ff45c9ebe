-- The domains for which a file speaks, in their order, for lists of publishers.
CREATE INDEX crawl_domains_with_file ON crawl_domains (domain) WHERE file_id IS NOT NULL;
