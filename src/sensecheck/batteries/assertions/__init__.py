"""The assertions that a test can make."""
