"""The revisions, one per file; each names the one before it, and can be undone."""
