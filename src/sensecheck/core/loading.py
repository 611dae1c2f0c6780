"""Encoders, pair scorers and judges from a short description.

An encoder is `minilm`, `onnx:./folder` or `openai:http://localhost:1234/v1#model`, a judge
`openai:http://localhost:1234/v1#model` or `recorded:FILE`, a pair scorer `mpnet` or `onnx:FOLDER`.
A pair scorer is loaded when the first pair is scored.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import cast

from sensecheck.core.backends import Encoder, Judge, PairScore, PairScorer, Unanswered
from sensecheck.core.errors import BackendError, MissingExtra, SpecError
from sensecheck.core.needs import Prompt
from sensecheck.core.registry import ENCODERS, JUDGES, VERIFIERS, load


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """What a loader may use besides the description; it takes what concerns it."""

    threads: int = 1
    prefix: str = ""
    """Put before every text; some models want `query: `."""
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 30.0
    """Seconds to wait for one answer of an endpoint."""
    retries: int = 4
    hub_token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """What a loader may use besides the description; it takes what concerns it."""

    api_key: str | None = field(default=None, repr=False)
    concurrency: int = 8
    """How many prompts are asked at the same time."""
    timeout: float = 30.0
    """Seconds to wait for one reply of an endpoint."""
    retries: int = 4


@dataclass(frozen=True, slots=True)
class VerifierOptions:
    """What a loader may use besides the description; it takes what concerns it."""

    threads: int = 1
    hub_token: str | None = field(default=None, repr=False)
    """For private models of the hub."""


EncoderLoader = Callable[[str, EncoderOptions], Encoder]
"""What the entry points of `sensecheck.encoders` name: (argument, options) to an encoder."""
JudgeLoader = Callable[[str, JudgeOptions], Judge]
"""What the entry points of `sensecheck.judges` name: (argument, options) to a judge."""
VerifierLoader = Callable[[str, VerifierOptions], PairScorer]
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
        """One score per pair, in order."""
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
                    raise BackendError(str(reason)) from reason
            return self._loaded


def load_encoder(described: str, options: EncoderOptions | None = None) -> Encoder:
    """The encoder that `kind` or `kind:argument` describes."""
    kind, _, argument = described.partition(":")
    loader = cast(EncoderLoader, load(ENCODERS, kind))
    return loader(argument, options or EncoderOptions())


def load_judge(described: str, options: JudgeOptions | None = None) -> Judge:
    """The judge that `kind` or `kind:argument` describes."""
    kind, _, argument = described.partition(":")
    loader = cast(JudgeLoader, load(JUDGES, kind))
    return loader(argument, options or JudgeOptions())


def load_verifier(described: str, options: VerifierOptions | None = None) -> OnFirstUse:
    """The pair scorer that `kind` or `kind:argument` describes; an unknown kind is refused at once."""
    kind, _, argument = described.partition(":")
    loader = cast(VerifierLoader, load(VERIFIERS, kind))
    return OnFirstUse(partial(loader, argument, options or VerifierOptions()))


def replies_of(judge: Judge, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
    """What a judge replies, once it is sure that there is one reply for each prompt."""
    replies = judge.ask(prompts) if prompts else ()
    if len(replies) != len(prompts):
        raise BackendError(
            f"the judge `{judge.fingerprint}` gave {len(replies)} replies to {len(prompts)} prompts"
        )
    return replies


def scores_of(scorer: PairScorer, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
    """What a pair scorer gives, once it is sure that there is one score for each pair."""
    scores = scorer.score(pairs) if pairs else ()
    if len(scores) != len(pairs):
        raise BackendError(
            f"the cross-encoder `{scorer.fingerprint}` gave {len(scores)} scores for {len(pairs)} pairs"
        )
    return scores
