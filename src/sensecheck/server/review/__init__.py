"""Figures of a project, and policies fitted on its own labels."""
