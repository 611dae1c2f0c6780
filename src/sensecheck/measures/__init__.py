"""What can be read off a space: one file for each thing."""
