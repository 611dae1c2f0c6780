"""Texts in pieces: sentences and words, with their places."""
