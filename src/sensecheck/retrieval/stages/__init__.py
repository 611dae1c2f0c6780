"""The stages of a chain, one a file."""
