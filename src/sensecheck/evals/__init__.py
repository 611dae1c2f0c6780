"""Batteries and question sets to runs and reports."""
