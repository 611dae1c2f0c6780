"""How far a source supports an answer."""
