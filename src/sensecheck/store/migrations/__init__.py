"""Revisions of the database of a store: applied, undone, checked."""
