"""The database as routes see it: asked from threads, and never waited for in the loop."""
