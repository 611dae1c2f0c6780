"""How much is remembered of texts that several measures read, one after the other.

Divided words and counted pairs are pure values, so that threads may share them. What is held is bounded
twice: by how many there are, and by how long a text may be.
"""

SHORT = 4000
"""Characters of the longest text, or pair of texts, that is remembered."""
TEXTS = 256
"""Texts that are remembered, each with its words."""
PAIRS = 1024
"""Pairs of texts that are remembered, each with its numbers."""
