"""The store of whoever names none; apart from all else, since settings are read without a database."""

DEFAULT_STORE = ".sensecheck/evals.sqlite3"
