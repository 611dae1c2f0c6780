"""`sensecheck run` and `lint`."""
