"""Whether reasoning turns in circles: the shape of the path that its sentences take."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.spoken import earlier_twins, sentence_needs, sentence_spans, sentence_vectors

Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Circling:
    """The heller score, from 0 to 1: 0.35 circularity, 0.40 tautology, 0.25 deceleration."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "circling"

    def needs(self, sample: Sample) -> Needs:
        """Every sentence."""
        return sentence_needs(sample)

    def read(self, sample: Sample, space: Space) -> Reading:
        """The score, with the near-repeated sentences as evidence."""
        said = sentence_spans(sample)
        if len(said) < 2:
            raise CannotJudge("a path wants at least two sentences; the answer has one")
        rows = sentence_vectors(said, space)
        circular, tautology, slowing = circularity(rows), tautologies(rows), deceleration(rows)
        score = 0.35 * circular + 0.40 * tautology + 0.25 * slowing
        because = f"circularity {circular:.2f}, tautology {tautology:.2f}, deceleration {slowing:.2f}"
        return Reading(score, because, earlier_twins(said, rows, 0.9), space.unread(*(s.text for s in said)))


def circularity(rows: Rows) -> float:
    """How near each sentence lies to the one before the last; two sentences have none."""
    if len(rows) < 3:
        return 0.0
    return _scaled(float(np.mean(np.sum(rows[2:] * rows[:-2], axis=1))))


def tautologies(rows: Rows) -> float:
    """How alike all sentences are, and how little way the path makes for its length."""
    total = rows.sum(axis=0, dtype=np.float64)
    pairs = len(rows) * (len(rows) - 1)
    alike = _scaled(float(total @ total - np.sum(np.square(rows, dtype=np.float64))) / pairs)
    made = float(np.linalg.norm(rows[-1] - rows[0])) / (float(_steps(rows).sum()) + 0.01)
    return 0.6 * alike + 0.4 * (1 - min(made, 1.0))


def deceleration(rows: Rows) -> float:
    """How steadily the steps grow shorter."""
    steps = _steps(rows)
    if len(steps) < 2:
        return 0.0
    shorter = float(np.mean(steps[1:] < steps[:-1]))
    slope = float(np.polyfit(np.arange(len(steps)), steps, 1)[0])
    return 0.6 * shorter + 0.4 * (1.0 if slope < -0.05 else 0.5 if slope < 0 else 0.0)


def _steps(rows: Rows) -> npt.NDArray[np.float64]:
    steps: npt.NDArray[np.float64] = np.linalg.norm(np.diff(rows, axis=0), axis=1).astype(np.float64)
    return steps


def _scaled(closeness: float) -> float:
    return min(max((closeness - 0.3) / 0.5, 0.0), 1.0)
