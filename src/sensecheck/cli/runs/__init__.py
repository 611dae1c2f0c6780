"""What was run: shown, compared, reported and labelled."""
