"""Question sets: answers to them are read by many metrics, run after run, and kept in a store."""
