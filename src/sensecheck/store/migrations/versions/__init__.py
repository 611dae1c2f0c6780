"""The steps, one a file; each knows the one before it, and how to go back."""
