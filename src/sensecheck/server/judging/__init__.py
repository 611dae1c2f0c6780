"""A check, from a request to what is told of it."""
