"""A run that was kept, as one page to look through."""
