"""Readings of references that lines are held to, and what a line does to them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.quality.relevance_set import KINDS, Kind, Pair, RelevanceSet
from benchmarks.quality.shares import counted

from sensecheck.calibration.placement import promise_result
from sensecheck.calibration.split import Labelled, one_each
from sensecheck.calibration.target import Target
from sensecheck.core.cutoff import Cutoff, Side

SEED = 0
Mix = Literal["drawn", "retrieved"]
"""Which references are irrelevant: drawn at random of each kind, or what a retriever brings along."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Readings that no line was fitted on: one of each label and group."""

    relevant: Sequence[float]
    irrelevant: Mapping[Mix, Sequence[float]]
    by_kind: Mapping[Kind, Sequence[float]]
    """The irrelevant ones that were drawn."""

    @classmethod
    def of(cls, rows: Mapping[Mix, Sequence[Labelled]]) -> "HeldOut":
        """The rows of either mix; their relevant ones are the same."""
        irrelevant = {mix: by_label(some)[1] for mix, some in rows.items()}
        kinds = {k: by_label([row for row in rows["drawn"] if row.slices["kind"] == k])[1] for k in KINDS}
        return cls(by_label(rows["drawn"])[0], irrelevant, kinds)

    def under(self, cutoff: Cutoff) -> dict[str, Any]:
        """The line, and what it does."""
        return {
            "line": cutoff.value,
            "relevant_lost": _counted(cutoff, self.relevant, "fail"),
            "irrelevant_kept": {mix: _counted(cutoff, some, "pass") for mix, some in self.irrelevant.items()},
            "irrelevant_kept_by_kind": {
                k: _counted(cutoff, some, "pass") for k, some in self.by_kind.items()
            },
        }

    def outcomes(self, cutoff: Cutoff, target: Target) -> dict[Mix, str]:
        """Whether the promise of a line holds for either mix, as `card check` would say."""
        about = target.errors == "false_rejects"
        return {
            mix: promise_result(target, map(cutoff.side, self.relevant if about else some)).outcome
            for mix, some in self.irrelevant.items()
        }


def by_mix(found: RelevanceSet) -> dict[Mix, list[Labelled]]:
    """The labelled readings, with the irrelevant ones of either mix."""
    return {"drawn": readings(found, found.drawn()), "retrieved": readings(found, found.retrieved())}


def readings(found: RelevanceSet, pairs: Iterator[Pair]) -> list[Labelled]:
    """Each pair as what the measure `relevance` reads off it."""
    return [
        Labelled(
            float(found.closeness[pair.query, pair.reference]),
            pair.kind == "its own",
            found.queries[pair.query].group,
            {"kind": pair.kind},
        )
        for pair in pairs
    ]


def by_label(rows: Sequence[Labelled]) -> tuple[list[float], list[float]]:
    """The good readings and the bad ones, one of each group."""
    ones = one_each(rows, seed=SEED)
    return [row.value for row in ones if row.good], [row.value for row in ones if not row.good]


def _counted(cutoff: Cutoff, values: Sequence[float], side: Side) -> dict[str, float]:
    return counted([cutoff.side(value) for value in values].count(side), len(values))
