"""The risk-coverage curve: how wrong a system is, when only what it is surest of is accepted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.effects.scored import Scored
from sensecheck.retrieval.effects.weighted_curves import Ordered

MOST_POINTS = 400
"""Of a curve as data; the area is always that of all its steps."""


class Point(NamedTuple):
    """One step of the curve."""

    coverage: float
    """Accepted outputs, as a share of all, abstentions included."""
    risk: float
    """The mean loss of the accepted ones."""


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """Outputs accepted from the surest down, those that are equally sure in one step.

    The curve is a staircase: between one step's coverage and the next, risk is that of the next, so the
    first step's risk holds from coverage 0 on, and a step of several ties has the risk at its end. The AURC
    is the area under that staircase. Without ties and abstentions it is the mean of the risks at 1, 2, …, n
    accepted. An abstention is never accepted, so with abstentions the curve ends before coverage 1, and two
    curves are compared by their area up to a coverage that both reach.
    """

    points: tuple[Point, ...]
    outputs: int
    abstained: int
    best: float
    """The AURC if confidence put the same outputs in the order of their losses."""
    by_chance: float
    """The AURC to be expected if confidence said nothing of losses."""
    worst: float

    @classmethod
    def of(cls, outputs: Sequence[Scored]) -> Self:
        """The curve of these outputs, in whatever order they come."""
        steps = Ordered.of(outputs).steps(np.ones((1, len(outputs))))
        points = zip(steps.coverage[0].tolist(), steps.risk[0].tolist(), strict=True)
        answered = [one for one in outputs if one.confidence is not None]
        total = sum(one.loss or 0.0 for one in answered)
        return cls(
            tuple(Point(*point) for point in points),
            len(outputs),
            len(outputs) - len(answered),
            best=_sorted_area(outputs, -1.0),
            by_chance=total / len(outputs),
            worst=_sorted_area(outputs, 1.0),
        )

    @property
    def highest(self) -> float:
        """The highest coverage reached."""
        return self.points[-1].coverage if self.points else 0.0

    @property
    def aurc(self) -> float:
        """The area from coverage 0 to the highest reached."""
        return self.area(self.highest)

    def area(self, up_to: float) -> float:
        """The area from coverage 0 up to this one, which the curve must reach."""
        if not 0 <= up_to <= self.highest:
            raise SpecError(f"the curve reaches from coverage 0 to {self.highest:g}; found {up_to:g}")
        area, begin = 0.0, 0.0
        for end, risk in self.points:
            area += (min(end, up_to) - begin) * risk
            begin = min(end, up_to)
        return area

    def to_data(self) -> dict[str, Any]:
        """The figures, and the curve in at most so many steps as can be told apart."""
        return {
            "outputs": self.outputs,
            "abstained": self.abstained,
            "highest_coverage": self.highest,
            "aurc": self.aurc,
            "best": self.best,
            "by_chance": self.by_chance,
            "worst": self.worst,
            "points": [list(point) for point in self._thinned()],
        }

    def _thinned(self) -> Sequence[Point]:
        if len(self.points) <= MOST_POINTS:
            return self.points
        wanted = np.unique(np.linspace(0, len(self.points) - 1, MOST_POINTS).round().astype(int))
        return [self.points[index] for index in wanted]


def _sorted_area(outputs: Sequence[Scored], sign: float) -> float:
    """The AURC of the same outputs, accepted in the order of their losses, one at a time."""
    answered = sorted(
        (sign * (one.loss or 0.0) for one in outputs if one.confidence is not None), reverse=True
    )
    means = np.array(answered).cumsum() / np.arange(1, len(answered) + 1)
    return float(sign * means.sum() / len(outputs)) + 0.0  # so that nothing is never -0
