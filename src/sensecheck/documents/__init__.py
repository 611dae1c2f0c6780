"""YAML and JSON with line and column."""
