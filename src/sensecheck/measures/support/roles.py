"""Claims that tell who did what to whom the other way round than a sentence of the source."""

from sensecheck.measures.support.role_clauses import reordered
from sensecheck.measures.support.role_exchanges import exchanges
from sensecheck.measures.support.role_transfers import handed_back
from sensecheck.measures.support.role_verbs import turned
from sensecheck.measures.support.role_words import sentence_of

Span = tuple[int, int]
_FEWEST = 2
"""How many content words both must have: there are two sides to exchange."""


def role_swaps(claim: str, sentence: str) -> list[tuple[Span, Span]]:
    """Where the claim exchanges who acts and who is acted upon, and where the source tells of them.

    Each place is a span of the claim and a span of the sentence. What cannot be read for certain is left out.
    """
    mine, theirs = sentence_of(claim), sentence_of(sentence)
    shared = mine.content & theirs.content
    if len(shared) < _FEWEST:
        return []
    found = [
        *exchanges(mine.tokens, theirs.tokens),
        *turned(mine.tokens, theirs.tokens, shared),
        *handed_back(mine.tokens, theirs.tokens),
        *reordered(mine.tokens, theirs.tokens),
    ]
    return sorted(set(found))
