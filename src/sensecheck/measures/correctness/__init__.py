"""Whether an answer gives the expected one, in whatever words and however long."""
