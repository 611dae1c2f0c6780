"""Small changes to the packages that decide, and whether a test notices them."""
