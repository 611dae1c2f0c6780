"""`sensecheck eval`."""
