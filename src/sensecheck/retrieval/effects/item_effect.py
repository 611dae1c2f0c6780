"""What the guards did to the references of one item, or of all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from sensecheck.retrieval.effects.gone import Gone, added
from sensecheck.retrieval.effects.labelled import LabelledMatches
from sensecheck.retrieval.effects.tally import Given, given_of, share
from sensecheck.retrieval.effects.traced import Fates
from sensecheck.retrieval.selection import Selection


@dataclass(frozen=True, slots=True)
class Budget:
    """What a budget's stage let through of what it had, over some queries."""

    stage: str
    unit: str
    used: int
    budget: int

    def __add__(self, other: "Budget") -> "Budget":
        return Budget(self.stage, self.unit, self.used + other.used, self.budget + other.budget)


@dataclass(frozen=True, slots=True)
class Effect:
    """References before and after, and who dropped the rest; effects add up."""

    before: Given = field(default_factory=Given)
    after: Given = field(default_factory=Given)
    dropped: Mapping[str, Gone] = field(default_factory=dict)
    """What each stage dropped, by its name; two stages of one name are counted together."""
    cut: int = 0
    """References of which only the beginning was kept."""
    budgets: Mapping[str, Budget] = field(default_factory=dict)
    """By the name of the stage; the second of one name is told apart as `name_2`."""

    def __add__(self, other: "Effect") -> "Effect":
        budgets = dict(self.budgets)
        for stage, budget in other.budgets.items():
            budgets[stage] = budgets[stage] + budget if stage in budgets else budget
        return Effect(
            self.before + other.before,
            self.after + other.after,
            added(self.dropped, other.dropped),
            self.cut + other.cut,
            budgets,
        )

    @property
    def dropped_by_budget(self) -> int:
        """References that a budget had no room for."""
        budgets = {one.stage for one in self.budgets.values()}
        return sum(gone.references for stage, gone in self.dropped.items() if stage in budgets)

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
            "dropped": {stage: gone.to_data() for stage, gone in self.dropped.items()},
            "cut": self.cut,
            "budgets": {
                stage: {"unit": one.unit, "used": one.used, "budget": one.budget}
                for stage, one in self.budgets.items()
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


def effect_on(row: LabelledMatches, selection: Selection, fates: Fates) -> Effect:
    """What happened to the references of one query."""
    budgets: dict[str, Budget] = {}
    for spent in selection.spent:
        budgets[_own_name(spent.stage, budgets)] = Budget(spent.stage, spent.unit, spent.used, spent.budget)
    dropped: dict[str, list[bool | None]] = {}
    for index, gone in fates.dropped.items():
        dropped.setdefault(gone.stage, []).append(row.relevant[index])
    is_labelled = any(label is not None for label in row.relevant)
    return Effect(
        given_of(list(row.relevant), sum(len(match.text) for match in row.matches), is_labelled=is_labelled),
        given_of(
            [row.relevant[index] for index in fates.kept],
            sum(len(match.text) for match in fates.kept.values()),
            is_labelled=is_labelled,
        ),
        {stage: Gone.of(labels) for stage, labels in dropped.items()},
        len(selection.cut),
        budgets,
    )


def _own_name(stage: str, taken: Mapping[str, Budget]) -> str:
    """The stage's name, with a number where a stage before it has the same."""
    names = chain([stage], (f"{stage}_{number}" for number in count(2)))
    return next(name for name in names if name not in taken)
