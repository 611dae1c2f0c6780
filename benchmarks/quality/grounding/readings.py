"""All that was read of one answer, as numbers: tables are made from these alone."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.measures.support.model import SupportModel
from sensecheck.measures.support.words import FEATURES

Numbers = npt.NDArray[np.float64]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ClaimRead:
    """One claim: what its words, its facts and the verifiers say."""

    span: Span
    places: tuple[Span, ...]
    """Where its words stand in the answer."""
    words: tuple[tuple[float, ...], ...]
    """One row a word, as `FEATURES` names the columns."""
    signals: tuple[str, ...]
    """What does not fit; `kind:new` where the source says nothing of the thing."""
    near: float
    verbatim: bool
    open: bool
    """Whether all it says is that the passages do not say."""
    pairs: Mapping[str, float]
    """The log odds against it, by the fold that a verifier has not seen."""
    doubts: tuple[tuple[int, int, float], ...] = ()
    """Where in the answer the words are that the verifier has log odds for, and these."""

    def against(self, model: SupportModel) -> float:
        """All that its words and signals say against it under a model of support."""
        if self.verbatim:
            return 0.0
        features = np.array(self.words, float).reshape(-1, len(FEATURES))
        signals = sum(model.signals.get(kind, 0.0) for kind in self.signals)
        return float(model.weights(features).sum()) + signals


@dataclass(frozen=True, slots=True)
class RowRead:
    """One answer: its label, and everything that was read of it."""

    unsupported: bool
    group: str
    kind: str
    fold: int | None
    chars: int
    spans: tuple[Span, ...]
    cosine: float | None
    overlap: float | None
    long_overlap: float | None
    claims: tuple[ClaimRead, ...]
    unread: str
    """Why nothing could be read, or that the answer states nothing; empty where it could."""
    outcomes: Mapping[str, str]
    """By policy."""

    def to_line(self) -> str:
        """The row as one line of JSON."""
        return json.dumps(_rounded(asdict(self)))

    @classmethod
    def from_line(cls, line: str) -> "RowRead":
        """The row that `to_line` wrote."""
        told: dict[str, Any] = json.loads(line)
        claims = tuple(ClaimRead(**{key: _tuples(v) for key, v in one.items()}) for one in told.pop("claims"))
        return cls(**{key: _tuples(value) for key, value in told.items()}, claims=claims)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list | tuple) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
