"""Rows from files: one reader for every verb."""
