"""What the guards did to the references of one item, or of all: counts that add up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from itertools import chain, count
from operator import add
from typing import Any, Self, TypeVar

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.labels import LabelledMatches
from sensecheck.retrieval.match import Match, Origins
from sensecheck.retrieval.selection import Dropped, Selection


@dataclass(frozen=True, slots=True)
class DroppedCounts:
    """How many of each label; they add up."""

    relevant: int = 0
    irrelevant: int = 0
    unlabelled: int = 0

    @classmethod
    def of(cls, labels: Iterable[bool | None]) -> "DroppedCounts":
        """The counts of these labels."""
        values = list(labels)
        return cls(values.count(True), values.count(False), values.count(None))

    def __add__(self, other: "DroppedCounts") -> "DroppedCounts":
        return DroppedCounts(*map(add, astuple(self), astuple(other)))

    @property
    def references(self) -> int:
        """All of them."""
        return self.relevant + self.irrelevant + self.unlabelled

    def to_data(self) -> dict[str, Any]:
        """All four counts."""
        return {"references": self.references, **asdict(self)}


@dataclass(frozen=True, slots=True)
class ReferenceCounts:
    """References that may enter a prompt, over some queries."""

    queries: int = 0
    references: int = 0
    relevant: int = 0
    irrelevant: int = 0
    unlabelled: int = 0
    chars: int = 0
    """Of their texts, without what a format puts around them."""
    queries_with_any: int = 0
    queries_with_relevant: int = 0
    queries_labelled: int = 0
    """Those of whose references, as they came, at least one has a label."""

    def __add__(self, other: "ReferenceCounts") -> "ReferenceCounts":
        return ReferenceCounts(*map(add, astuple(self), astuple(other)))

    @property
    def coverage(self) -> float | None:
        """The share of queries that have at least one reference; None without queries."""
        return share(self.queries_with_any, self.queries)

    @property
    def relevant_coverage(self) -> float | None:
        """Of the queries with a label, the share that has a relevant reference; None if unknown."""
        return share(self.queries_with_relevant, self.queries_labelled)

    def to_data(self) -> dict[str, Any]:
        """All counts, with the two coverages."""
        return asdict(self) | {"coverage": self.coverage, "relevant_coverage": self.relevant_coverage}


@dataclass(frozen=True, slots=True)
class BudgetUse:
    """What a budget's stage let through of what it had, over some queries."""

    stage: str
    unit: str
    used: int
    budget: int

    def __add__(self, other: "BudgetUse") -> "BudgetUse":
        return BudgetUse(self.stage, self.unit, self.used + other.used, self.budget + other.budget)


Counts = TypeVar("Counts", DroppedCounts, BudgetUse)


@dataclass(frozen=True, slots=True)
class Effect:
    """References before and after, and who dropped the rest; effects add up."""

    before: ReferenceCounts = field(default_factory=ReferenceCounts)
    after: ReferenceCounts = field(default_factory=ReferenceCounts)
    dropped: Mapping[str, DroppedCounts] = field(default_factory=dict)
    """What each stage dropped, by its name; two stages of one name are counted together."""
    cut: int = 0
    """References of which only the beginning was kept."""
    budgets: Mapping[str, BudgetUse] = field(default_factory=dict)
    """By the name of the stage; the second of one name is told apart as `name_2`."""

    def __add__(self, other: "Effect") -> "Effect":
        return Effect(
            self.before + other.before,
            self.after + other.after,
            _summed(self.dropped, other.dropped),
            self.cut + other.cut,
            _summed(self.budgets, other.budgets),
        )

    @property
    def dropped_by_budget(self) -> int:
        """References that a budget had no room for."""
        budgets = {use.stage for use in self.budgets.values()}
        return sum(counts.references for stage, counts in self.dropped.items() if stage in budgets)

    @property
    def kept_by_budget(self) -> float | None:
        """Of the references that no other stage dropped, the share for which budgets had room."""
        return share(self.after.references, self.after.references + self.dropped_by_budget)

    def to_data(self) -> dict[str, Any]:
        """The counts, and those that follow from them."""
        return {
            "before": self.before.to_data(),
            "after": self.after.to_data(),
            "relevant_lost": self.before.relevant - self.after.relevant,
            "irrelevant_removed": self.before.irrelevant - self.after.irrelevant,
            "dropped": {stage: counts.to_data() for stage, counts in self.dropped.items()},
            "cut": self.cut,
            "budgets": {
                stage: {"unit": use.unit, "used": use.used, "budget": use.budget}
                for stage, use in self.budgets.items()
            },
            "kept_by_budget": self.kept_by_budget,
        }


@dataclass(frozen=True, slots=True)
class ItemEffect:
    """An item, where it stands in the prompt, and what happened to it."""

    item: str
    position: int
    """From 1."""
    effect: Effect

    def to_data(self) -> dict[str, Any]:
        """The item with its counts."""
        return {"item": self.item, "position": self.position, **self.effect.to_data()}


@dataclass(frozen=True, slots=True)
class Traced:
    """Matches of one query, told apart by their metadata.

    Stages may give a match another similarity, or cut its text; the metadata is handed on as the same object,
    so each match goes into the chain with a mapping of its own.
    """

    matches: tuple[Match, ...]

    @classmethod
    def of(cls, matches: Sequence[Match]) -> Self:
        """The matches, equal to those given, each with its own metadata."""
        return cls(tuple(replace(match, metadata=dict(match.metadata)) for match in matches))

    def fates(self, selection: Selection) -> "Fates":
        """What became of each match; one that is lost, or came out twice, is an error."""
        numbers = Origins(self.matches, range(len(self.matches)))
        kept = {numbers.get(match, -1): match for match in selection.kept}
        dropped = {numbers.get(gone.match, -1): gone for gone in selection.dropped}
        out = len(selection.kept) + len(selection.dropped)
        if out != len(self.matches) or {*kept, *dropped} != set(range(len(self.matches))):
            raise SpecError(
                f"{len(self.matches)} references went into the chain and {len(selection.kept)} kept and "
                f"{len(selection.dropped)} dropped ones came out, which are not the same: a stage loses "
                "references, or makes new ones; wanted each of them once, with its metadata as it was"
            )
        return Fates(kept, dropped)


@dataclass(frozen=True, slots=True)
class Fates:
    """By the number of each match: as it was kept, or how it was dropped."""

    kept: dict[int, Match]
    dropped: dict[int, Dropped]


def effect_on(row: LabelledMatches, selection: Selection, fates: Fates) -> Effect:
    """What happened to the references of one query."""
    budgets: dict[str, BudgetUse] = {}
    for spent in selection.spent:
        budgets[_distinct_name(spent.stage, budgets)] = BudgetUse(
            spent.stage, spent.unit, spent.used, spent.budget
        )
    dropped: dict[str, list[bool | None]] = {}
    for index, gone in fates.dropped.items():
        dropped.setdefault(gone.stage, []).append(row.relevant[index])
    is_labelled = any(label is not None for label in row.relevant)
    return Effect(
        _reference_counts(
            list(row.relevant), sum(len(match.text) for match in row.matches), is_labelled=is_labelled
        ),
        _reference_counts(
            [row.relevant[index] for index in fates.kept],
            sum(len(match.text) for match in fates.kept.values()),
            is_labelled=is_labelled,
        ),
        {stage: DroppedCounts.of(labels) for stage, labels in dropped.items()},
        len(selection.cut),
        budgets,
    )


def share(part: float, whole: float) -> float | None:
    """What part of the whole; None of nothing."""
    return part / whole if whole else None


def _summed(first: Mapping[str, Counts], second: Mapping[str, Counts]) -> dict[str, Counts]:
    """Those of both together, by stage."""
    return {
        **first,
        **{stage: first[stage] + one if stage in first else one for stage, one in second.items()},
    }


def _distinct_name(stage: str, used_names: Mapping[str, BudgetUse]) -> str:
    """The stage's name, with a number where an earlier stage has the same name."""
    names = chain([stage], (f"{stage}_{number}" for number in count(2)))
    return next(name for name in names if name not in used_names)


def _reference_counts(labels: list[bool | None], chars: int, *, is_labelled: bool) -> ReferenceCounts:
    """The counts of one query: the labels of its references, and how long they are together."""
    return ReferenceCounts(
        1,
        len(labels),
        labels.count(True),
        labels.count(False),
        labels.count(None),
        chars,
        int(bool(labels)),
        int(True in labels),
        int(is_labelled),
    )
