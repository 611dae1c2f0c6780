"""The service under load, as its clients see it."""
