"""Jobs: searches and games as plain data, done by worker processes, kept in a store."""
