"""Which sentences of an article speak of the same thing as a claim."""

from functools import lru_cache

from models.verifier.edits.edit import Article

from sensecheck.text.words import content_words, stem

_SHARED = 0.5
"""The share of content words from which two sentences are taken to speak of the same thing."""


def near_sentences(claim: str, article: Article) -> frozenset[int]:
    """The places of the sentences whose numbers and dates may also be true of what the claim says."""
    mine = _content(claim)
    return frozenset(at for at, theirs in enumerate(_contents(article)) if _overlap(mine, theirs) >= _SHARED)


def _overlap(mine: frozenset[str], theirs: frozenset[str]) -> float:
    return len(mine & theirs) / max(min(len(mine), len(theirs)), 1)


@lru_cache(maxsize=64)
def _contents(article: Article) -> tuple[frozenset[str], ...]:
    return tuple(_content(sentence) for sentence in article.sentences)


def _content(sentence: str) -> frozenset[str]:
    return frozenset(stem(word.text) for word in content_words(sentence) if word.text.isalpha())
