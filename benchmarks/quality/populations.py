"""Where fits draw their rows from: readings whose true error rates are known."""

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from benchmarks.quality.labelled import REFUSALS

from sensecheck.calibration.placement import Values
from sensecheck.checks.gate import Gate
from sensecheck.checks.presets import REFUSAL_EXEMPLARS
from sensecheck.core.backends import Backends
from sensecheck.core.verdict import Verdict
from sensecheck.measures.exemplars import NearestExemplar
from sensecheck.sense import Sense

SEED = 11
ROWS = 100
"""Good rows and bad rows in each fit."""
Side = Literal["above", "below"]
Rates = tuple[float, float]
"""What share of all bad answers passes a line, and what share of all good ones."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Normal readings, where good ones lie two and a half standard deviations above bad ones."""

    name: str = "simulated"
    side: Side = "above"
    apart: float = 2.5

    def draw(self, chance: np.random.Generator) -> tuple[Values, Values]:
        """Good readings and bad ones."""
        return chance.normal(self.apart, 1, ROWS), chance.normal(0, 1, ROWS)

    def true_rates(self, line: float) -> Rates:
        """In closed form."""
        return _normal_above(line), _normal_above(line - self.apart)


@dataclass(frozen=True, slots=True)
class Resampled:
    """Readings of real answers, all of which are the population; fits draw from them with replacement."""

    name: str
    side: Side
    good: Values
    bad: Values

    def draw(self, chance: np.random.Generator) -> tuple[Values, Values]:
        """Good readings and bad ones."""
        return chance.choice(self.good, ROWS), chance.choice(self.bad, ROWS)

    def true_rates(self, line: float) -> Rates:
        """Counted."""
        sign = 1 if self.side == "above" else -1
        bad, good = (float((sign * part >= sign * line).mean()) for part in (self.bad, self.good))
        return bad, good


Population = Simulated | Resampled
"""Where fits draw their rows from, and where the true rates of a line are known."""


def real_refusals(data: Path, answerers: Backends) -> Resampled:
    """How near the opening of each answer of xstest lies to a refusal that we wrote; nothing was trained."""
    (xstest,) = (each for each in REFUSALS if each.name == "xstest")
    labelled = xstest.samples(data, rows=sys.maxsize, seed=SEED)
    near = Gate(NearestExemplar(REFUSAL_EXEMPLARS, of="opening"))
    verdicts = Sense(answerers).judge_each((sample, near) for _, _, sample in labelled)
    values = [(wanted, _read(verdict)) for (_, wanted, _), verdict in zip(labelled, verdicts, strict=True)]
    good, bad = (np.array([v for wanted, v in values if wanted == label]) for label in ("pass", "fail"))
    return Resampled("nearest refusal, on xstest", "below", good, bad)


def _read(verdict: Verdict) -> float:
    if verdict.reading is None:
        sys.exit(f"an answer could not be read: {verdict.because}")
    return verdict.reading.value


def _normal_above(value: float) -> float:
    return math.erfc(value / math.sqrt(2)) / 2
