"""How much each thing that was found speaks for an answer: a small model, as a file."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from sensecheck.core.errors import SpecError
from sensecheck.measures.correctness.features import AGAINST, FEATURES
from sensecheck.measures.linear_model import FiledModel


@dataclass(frozen=True, slots=True, eq=False)
class CorrectnessModel(FiledModel):
    """A weight a feature; what speaks for an answer can never count against it, nor the other way round."""

    kind: ClassVar[str] = "model of correctness"
    shipped: ClassVar[str] = "answers"

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

    @property
    def digest(self) -> str:
        """Changes whenever the readings would."""
        told = json.dumps([self.encoder, self.bias, self.weights])
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def chance(self, features: Mapping[str, float]) -> float:
        """How likely people would call the answer correct, from 0 to 1."""
        odds = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-odds))


def shipped_model() -> CorrectnessModel:
    """The model that comes with sensecheck."""
    return CorrectnessModel.ours()
