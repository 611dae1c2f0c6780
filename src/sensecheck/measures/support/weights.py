"""How much each thing that was found speaks against a claim: a small model, as a file."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.measures.linear_model import FiledModel
from sensecheck.measures.support.source import Numbers
from sensecheck.measures.support.words import FEATURES


@dataclass(frozen=True, slots=True, eq=False)
class SupportModel(FiledModel):
    """Weights over words and signals; none of them can make more of what is missing count for a claim."""

    kind: ClassVar[str] = "model of support"
    shipped: ClassVar[str] = "words"

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

    @property
    def digest(self) -> str:
        """Changes whenever the readings would."""
        content = json.dumps([self.encoder, self.bias, self.words, self.signals])
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def weights(self, features: Numbers) -> Numbers:
        """How much each word speaks against its claim, from 0 up."""
        values: Numbers = np.logaddexp(0, features @ np.array([*self.words.values()]) + self.bias)
        return values

    def weight_of(self, kind: str, *, changed: bool) -> float:
        """How much a signal speaks against its claim."""
        return self.signals.get(kind if changed else f"{kind}:new", 0.0)


def shipped_model() -> SupportModel:
    """The model that comes with sensecheck."""
    return SupportModel.ours()
