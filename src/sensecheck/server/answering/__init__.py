"""An answer, from a question to its last event."""
