"""Metrics and checks over Arrow tables."""
