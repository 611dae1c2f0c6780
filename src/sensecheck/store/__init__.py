"""The database of runs, verdicts, labels and messages."""
