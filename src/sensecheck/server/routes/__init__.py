"""One file a route, or a few that belong together."""
