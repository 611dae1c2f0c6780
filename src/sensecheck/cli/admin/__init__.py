"""What is looked after: the database, caches, models, keys, and what runs."""
