"""How much each thing that was found speaks for an answer: a small model, as a file."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.measures.correctness.features import AGAINST, FEATURES
from sensecheck.measures.linear_model import (
    model_from_json,
    model_in_file,
    model_json,
    model_named,
    model_schema,
    must_fit,
    written,
)

_WHAT = "model of correctness"
_SHIPPED = "answers"


@dataclass(frozen=True, slots=True, eq=False)
class CorrectnessModel:
    """A weight a feature; what speaks for an answer can never count against it, nor the other way round."""

    name: str
    encoder: str
    """The fingerprint of the encoder whose vectors the weights are for."""
    bias: float
    weights: dict[str, float]
    sources: dict[str, str] = field(default_factory=dict)
    """What it was trained on: sets, with rows and licences."""
    date: str = ""

    def __post_init__(self) -> None:
        if tuple(self.weights) != FEATURES:
            raise SpecError(f"the model `{self.name}` weighs {', '.join(self.weights)}; wanted {FEATURES}")
        if not all(map(math.isfinite, (self.bias, *self.weights.values()))):
            raise SpecError(f"the model `{self.name}` has a weight that is not finite")
        if any((weight > 0) if name in AGAINST else (weight < 0) for name, weight in self.weights.items()):
            raise SpecError(f"the model `{self.name}` is not monotone: a weight has the wrong sign")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CorrectnessModel) and self.to_data() == other.to_data()

    def __hash__(self) -> int:
        return hash(self.to_data())

    @property
    def digest(self) -> str:
        """Changes whenever the readings would."""
        told = json.dumps([self.encoder, self.bias, self.weights])
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def must_fit(self, encoder: str | None) -> None:
        """Raise unless the vectors are those of the encoder that the weights are for."""
        must_fit(self, encoder, _WHAT)

    def chance(self, features: Mapping[str, float]) -> float:
        """How likely people would call the answer correct, from 0 to 1."""
        odds = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-odds))

    def to_data(self) -> str:
        """How a check names the model: its file, and the digest that it must have."""
        return written(self)

    @classmethod
    def from_data(cls, data: Any) -> "CorrectnessModel":
        """The model of the shipped name or of a path; a `#digest` behind it must be the model's own."""
        return model_named(data, _SHIPPED, shipped_model, cls.from_file)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """How a model is written in a check."""
        return model_schema(_SHIPPED)

    @classmethod
    def from_file(cls, path: Path) -> "CorrectnessModel":
        """The model in a file, named after it."""
        return model_in_file(path, lambda text, at: cls.from_json(text, at=at), _SHIPPED)

    def to_json(self) -> str:
        """The text of the model's file."""
        return model_json(self)

    @classmethod
    def from_json(cls, text: str, *, at: str) -> "CorrectnessModel":
        """The model that `to_json` wrote; one that was changed by hand is refused."""
        return model_from_json(cls, text, at=at, what=_WHAT)


@cache
def shipped_model() -> CorrectnessModel:
    """The model that comes with sensecheck."""
    path = files(__package__) / "shipped" / f"{_SHIPPED}.json"
    return CorrectnessModel.from_json(path.read_text(encoding="utf-8"), at=_SHIPPED)
