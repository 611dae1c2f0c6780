"""Risk over coverage of the same outputs under many weights at once: the curve, and all its resamples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SampleError
from sensecheck.retrieval.effects.scored import Scored

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Steps:
    """A row for each weighting, a column for each confidence that occurs, the highest first."""

    coverage: Numbers
    """The share that is accepted at this confidence and above."""
    risk: Numbers
    """The mean loss of those; 0 as long as nothing is accepted."""

    def highest(self) -> Numbers:
        """The coverage at which everything is accepted that was not an abstention."""
        last: Numbers = self.coverage[:, -1] if self.coverage.shape[1] else np.zeros(len(self.coverage))
        return last

    def areas(self, up_to: Numbers) -> Numbers:
        """The area under risk from coverage 0 up to this one, each row to its own."""
        ends = np.minimum(self.coverage, up_to[:, None])
        widths = np.diff(ends, axis=1, prepend=0.0)
        area: Numbers = (widths * self.risk).sum(axis=1)
        return area


@dataclass(frozen=True, slots=True)
class Ordered:
    """Outputs in the order in which they are accepted: sorted once, weighted as often as wanted."""

    order: Places
    """Where the accepted ones stand among all, the surest first."""
    begins: Places
    """Where, in that order, each confidence begins: those that share one are accepted together."""
    losses: Numbers
    """In that order."""

    @classmethod
    def of(cls, outputs: Sequence[Scored]) -> Self:
        """Sort outputs by confidence; abstentions are never accepted."""
        if not outputs:
            raise SampleError("a curve of risk over coverage wants at least one output; found none")
        answered = [(index, one) for index, one in enumerate(outputs) if one.confidence is not None]
        sure = np.array([one.confidence for _, one in answered], np.float64)
        order = np.argsort(-sure, kind="stable")
        ranked = sure[order]
        begins = np.flatnonzero(np.diff(ranked, prepend=np.inf) != 0)
        losses = np.array([one.loss for _, one in answered], np.float64)[order]
        return cls(np.array([index for index, _ in answered], np.intp)[order], begins, losses)

    def steps(self, weights: Numbers) -> Steps:
        """The curve for each row of weights, one weight for each output, abstentions included."""
        if not len(self.order):
            nothing = np.zeros((len(weights), 0))
            return Steps(nothing, nothing)
        accepted = weights[:, self.order]
        count = np.add.reduceat(accepted, self.begins, axis=1).cumsum(axis=1)
        lost = np.add.reduceat(accepted * self.losses, self.begins, axis=1).cumsum(axis=1)
        risk = np.divide(lost, count, out=np.zeros_like(lost), where=count > 0)
        return Steps(count / weights.sum(axis=1, keepdims=True), risk)
