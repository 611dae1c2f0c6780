"""Question sets and tables to runs."""
