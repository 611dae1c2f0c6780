"""A pair scorer from a short description, `mpnet` or `onnx:FOLDER`; loaded when the first pair is scored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import cast

from sensecheck.core.encoder import PairScore, PairScorer
from sensecheck.core.errors import AnswererError, MissingExtra, SpecError
from sensecheck.core.registry import VERIFIERS, load


@dataclass(frozen=True, slots=True)
class VerifierOptions:
    """What a loader may use besides the description; it takes what concerns it."""

    threads: int = 1
    hub_token: str | None = field(default=None, repr=False)
    """For private models of the hub."""


Loader = Callable[[str, VerifierOptions], PairScorer]
"""What the entry points of `sensecheck.verifiers` name: (argument, options) to a pair scorer."""


class OnFirstUse:
    """A pair scorer that costs nothing until it is asked; when it cannot be had, the question fails."""

    def __init__(self, loading: Callable[[], PairScorer]) -> None:
        self._loading = loading
        self._loaded: PairScorer | None = None
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        return self._scorer().fingerprint

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        """One score a pair, in order."""
        return self._scorer().score(pairs)

    @property
    def about(self) -> str:
        """What the scorer says of its kind, labels and limits; empty where it says nothing."""
        return str(getattr(self._scorer(), "about", ""))

    def _scorer(self) -> PairScorer:
        with self._lock:
            if self._loaded is None:
                try:
                    self._loaded = self._loading()
                except (MissingExtra, SpecError) as reason:
                    raise AnswererError(str(reason)) from reason
            return self._loaded


def load_verifier(described: str, options: VerifierOptions | None = None) -> OnFirstUse:
    """The pair scorer that `kind` or `kind:argument` describes; an unknown kind is refused at once."""
    kind, _, argument = described.partition(":")
    loader = cast(Loader, load(VERIFIERS, kind))
    return OnFirstUse(partial(loader, argument, options or VerifierOptions()))


def scores_of(scorer: PairScorer, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
    """What a pair scorer gives, once it is sure that there is one score for each pair."""
    scores = scorer.score(pairs) if pairs else ()
    if len(scores) != len(pairs):
        raise AnswererError(
            f"the cross-encoder `{scorer.fingerprint}` gave {len(scores)} scores for {len(pairs)} pairs"
        )
    return scores
