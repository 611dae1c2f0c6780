"""Arrow tables: rows in, the same rows with what was read off them out."""
