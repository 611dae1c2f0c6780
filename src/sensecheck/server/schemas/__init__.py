"""The shapes of requests and replies."""
