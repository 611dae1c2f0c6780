"""Systems under test: who answers."""
