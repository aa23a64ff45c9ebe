-- Properties are searched by how their names begin.
-- only: sqlite
CREATE INDEX publisher_file_properties_by_name ON publisher_file_properties (substr(lower(name), 1, 60));
-- only: postgres
CREATE INDEX publisher_file_properties_by_name ON publisher_file_properties ((substr(lower(name), 1, 60) COLLATE "C"));
