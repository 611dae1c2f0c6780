"""Labelled readings to a cutoff that keeps a promise."""
