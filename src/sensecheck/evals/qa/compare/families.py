"""Which differences are tested together: one of many looks large by chance alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sensecheck.core.serialization import to_data
from sensecheck.evals.qa.compare.shift import Columns, MetricShift
from sensecheck.evals.qa.compare.slices import SliceShift
from sensecheck.measures.metrics import KNOWN

HEADLINE = frozenset(
    (
        "correctness",
        "fact_agreement",
        "semantic_similarity",
        "lexical_aggregate",
        "grounded",
        "llm_judged_overall",
    )
)
"""The metrics that sum an answer up."""


def is_headline(metric: str) -> bool:
    """Whether a metric sums an answer up; one of somebody's own does, and others of ours are parts of it."""
    return metric in HEADLINE or metric not in KNOWN


def parted(many: Iterable[Columns]) -> tuple[list[Columns], list[Columns]]:
    """The headline metrics and the parts, both in the order in which they came."""
    headline: list[Columns] = []
    parts: list[Columns] = []
    for columns in many:
        (headline if is_headline(columns.metric) else parts).append(columns)
    return headline, parts


@dataclass(frozen=True, slots=True)
class Tested:
    """How many differences p allows for, in each family; what is unchanged was not tested.

    What is unchanged stays so however the runs are swapped: to leave it out takes nothing from what alpha
    promises of the others.
    """

    headline: int
    parts: int
    labels: int
    slices: int
    """Metrics in slices, each once a slice."""

    @classmethod
    def of(
        cls, metrics: Sequence[MetricShift], labels: Sequence[MetricShift], slices: Sequence[SliceShift]
    ) -> "Tested":
        """What was tested in a comparison."""
        ours = [is_headline(one.metric) for one in metrics if one.adjusted is not None]
        cut = (one for held in slices for one in held.metrics)
        return cls(ours.count(True), ours.count(False), _count(labels), _count(cut))

    def told(self, *, of: str = "") -> str:
        """In words, what p allows for in a table of metrics, or of something else of them; empty for nothing.

        `p allows for 6 headline metrics, and for 9 parts`; `p allows for 6 changes of headline
        metrics, and for 9 changes of parts`.
        """
        found = [(self.headline, "headline metric"), (self.parts, "part")]
        told = [f"for {_told(count, what, of)}" for count, what in found if count]
        return f"p allows {', and '.join(told)}" if told else ""

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)


def counted(count: int, what: str) -> str:
    """`1 label`, `2 labels`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _told(count: int, what: str, of: str) -> str:
    return f"{counted(count, of)} of {what}s" if of else counted(count, what)


def _count(shifts: Iterable[MetricShift]) -> int:
    return sum(one.adjusted is not None for one in shifts)
