"""Battery files: YAML to tests, strictly."""
