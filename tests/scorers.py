"""A pair scorer for tests: quick, the same everywhere, and it counts what it is asked."""

import hashlib
from collections.abc import Sequence

from sensecheck.core.backends import PairScore
from sensecheck.core.errors import EncoderError


class CountingScorer:
    """Scores made of a digest of the pair, one a word of the claim; an empty claim is refused."""

    def __init__(self, fingerprint: str = "tiny:1", *, moved: float = 0.0) -> None:
        self.fingerprint = fingerprint
        self.calls: list[list[tuple[str, str]]] = []
        self._moved = moved
        """By how much its values lie elsewhere, which its fingerprint does not tell."""

    @property
    def asked(self) -> list[tuple[str, str]]:
        """Every pair that it was given, in order."""
        return [pair for call in self.calls for pair in call]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        """One score a pair, in order."""
        self.calls.append(list(pairs))
        return [self._one(claim, evidence) for claim, evidence in pairs]

    def _one(self, claim: str, evidence: str) -> PairScore:
        if not claim:
            raise EncoderError("the claim of a pair is empty")
        digest = hashlib.sha256(f"{claim}\0{evidence}".encode()).digest()
        spans, at = [], 0
        for word in claim.split():
            at = claim.index(word, at)
            spans.append((at, at + len(word)))
            at += len(word)
        scores = tuple(digest[n % 32] / 32 - 4 for n in range(len(spans)))
        unread = digest[2] % (1 + len(evidence))
        contradicted = digest[3] / 255 if digest[1] % 3 else None
        return PairScore(digest[0] / 16 - 8 + self._moved, tuple(spans), scores, unread, contradicted)
