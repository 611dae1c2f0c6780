"""The routes of the service, by subject."""
