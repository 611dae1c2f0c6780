"""Files of data: YAML and JSON into nodes that know their place."""
