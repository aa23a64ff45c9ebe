-- The publishers of a manager: by the files at its host, and by those that it was found to speak for.
CREATE INDEX publisher_files_by_host ON publisher_files (host, id);
CREATE INDEX crawl_domains_by_manager ON crawl_domains (manager_domain, domain) WHERE manager_domain IS NOT NULL;
