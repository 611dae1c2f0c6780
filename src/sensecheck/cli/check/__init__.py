"""`sensecheck check`, `ground`, `explain` and `embed`."""
