"""How much each thing that was found speaks against a claim: a small model, as a file."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.measures.linear_model import (
    model_from_json,
    model_in_file,
    model_json,
    model_named,
    model_schema,
    must_fit,
    written,
)
from sensecheck.measures.support.source import Numbers
from sensecheck.measures.support.words import FEATURES

_WHAT = "model of support"
_SHIPPED = "words"


@dataclass(frozen=True, slots=True, eq=False)
class SupportModel:
    """Weights over words and signals; none of them can make more of what is missing count for a claim."""

    name: str
    encoder: str
    """The fingerprint of the encoder whose vectors the weights are for."""
    bias: float
    words: dict[str, float]
    """One a feature of a word; only `asked` speaks for it."""
    signals: dict[str, float]
    """What a signal of each kind adds; `kind:new` where the source says nothing of the thing."""
    sources: dict[str, str] = field(default_factory=dict)
    """What it was trained on: sets, with rows and licences."""
    date: str = ""

    def __post_init__(self) -> None:
        if tuple(self.words) != FEATURES:
            raise SpecError(f"the model `{self.name}` weighs {', '.join(self.words)}; wanted {FEATURES}")
        against = [weight for name, weight in self.words.items() if name != "asked"]
        if min(against) < 0 or self.words["asked"] > 0 or min(self.signals.values(), default=0) < 0:
            raise SpecError(f"the model `{self.name}` is not monotone: a weight has the wrong sign")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SupportModel) and self.to_data() == other.to_data()

    def __hash__(self) -> int:
        return hash(self.to_data())

    @property
    def digest(self) -> str:
        """Changes whenever the readings would."""
        told = json.dumps([self.encoder, self.bias, self.words, self.signals])
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def must_fit(self, encoder: str | None) -> None:
        """Raise unless the vectors are those of the encoder that the weights are for."""
        must_fit(self, encoder, _WHAT)

    def weights(self, features: Numbers) -> Numbers:
        """How much each word speaks against its claim, from 0 up."""
        found: Numbers = np.logaddexp(0, features @ np.array([*self.words.values()]) + self.bias)
        return found

    def weight_of(self, kind: str, *, changed: bool) -> float:
        """How much a signal speaks against its claim."""
        return self.signals.get(kind if changed else f"{kind}:new", 0.0)

    def to_data(self) -> str:
        """How a check names the model: its file, and the digest that it must have."""
        return written(self)

    @classmethod
    def from_data(cls, data: Any) -> "SupportModel":
        """The model of the shipped name or of a path; a `#digest` behind it must be the model's own."""
        return model_named(data, _SHIPPED, shipped_model, cls.from_file)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """How a model is written in a check."""
        return model_schema(_SHIPPED)

    @classmethod
    def from_file(cls, path: Path) -> "SupportModel":
        """The model in a file, named after it."""
        return model_in_file(path, lambda text, at: cls.from_json(text, at=at), _SHIPPED)

    def to_json(self) -> str:
        """The text of the model's file."""
        return model_json(self)

    @classmethod
    def from_json(cls, text: str, *, at: str) -> "SupportModel":
        """The model that `to_json` wrote; one that was changed by hand is refused."""
        return model_from_json(cls, text, at=at, what=_WHAT)


@cache
def shipped_model() -> SupportModel:
    """The model that comes with sensecheck."""
    path = files(__package__) / "shipped" / f"{_SHIPPED}.json"
    return SupportModel.from_json(path.read_text(encoding="utf-8"), at=_SHIPPED)
