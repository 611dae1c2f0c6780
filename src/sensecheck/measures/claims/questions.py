"""Questions that only ask, and questions that tell: `Did you know that the mayor fled?`."""

import re

from sensecheck.measures.claims.finite import has_verb
from sensecheck.measures.text.words import words

_ASKS = re.compile(r"[?？؟]+[!?\"'”’»)\]*_」』）]*$")
_LABEL = re.compile(r"[\W_]*(?:q|question|topic|note)\s*:\s*[\W_]*|[\W_]+", re.IGNORECASE)
_TELLS = re.compile(
    r"(?:did|do|can|could|would|have|are|were)\s+you\s+(?:know|heard?|believe|realise|realize|aware|remember|guess|ever\s+hear)"
    r"|(?:is|was|are|were|did|does|do|has|have|had|would|could|should|can|wo)n['’]t\b|remember\b|who\s+knew\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:and|so|but|then)?\s*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|am|do|does|did|has|have|had"
    r"|can|could|will|would|shall|should|may|might|must|in\s+(?:what|which))(?:['’]s|['’]re)?\b",
    re.IGNORECASE,
)
_PARTED = re.compile(r"[.!?;:]\s")
_LONGEST = 12
"""In words; a longer question says something besides."""


def only_asks(said: str) -> bool:
    """Whether it is one short question without a number, and not one that tells what it asks."""
    if not _ASKS.search(said[-12:]) or len(words(said)) > _LONGEST or any(map(str.isdigit, said)):
        return False
    label = _LABEL.match(said)
    asked = said[label.end() :] if label else said
    if _TELLS.match(asked) or _PARTED.search(asked):
        return False
    return _ASKING.match(asked) is not None or not has_verb(asked)
