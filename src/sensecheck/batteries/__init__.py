"""Test files to runs."""
