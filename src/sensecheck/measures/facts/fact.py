"""Facts, the values that they state, and the differences between facts.

A value is what a fact says, apart from how it is written.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "number", "unit", "date", "name", "negation", "opposite", "comparison", "quantifier", "list", "exchanged"
]
AMOUNTS: frozenset[Kind] = frozenset({"number", "unit", "date"})
"""Kinds of facts that are amounts and dates."""
SAID_OTHERWISE: frozenset[str] = frozenset({"negation"})
"""Kinds in which texts may differ by their words alone: `no data was lost` and `all data is still there`."""
EXCHANGED: Kind = "exchanged"
"""The kind of amounts, and of names, that have changed places: of 70 such texts one was right."""
Change = Literal["changed", "added", "missing", "less"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in the base unit of its dimension."""

    amount: float
    """The number as written."""
    base: float
    """The number in the base unit: metres for kilometres."""
    dimension: str = ""
    """`length`, `time`, `percent`, …; empty when no unit is given."""
    unit: str = ""
    step: float = 0.0
    """Half of the last written place, when the number was written as a rounded one: `2.5 million`."""
    hedged: bool = False
    """Whether it says `about` or the like."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time of day or both, as far as it is given."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    minute: int | None = None
    """Minutes since midnight."""
    decade: int | None = None
    """`1960` for the sixties."""
    century: int | None = None
    """`17` for the 18th century and the 1700s; below zero before Christ."""
    last_weekday: int | None = None
    """The end of a stretch of weekdays: `Monday to Friday`, `weekends`."""
    loose: bool = False
    """Whether a time can be of the morning and of the afternoon: `half past five`."""
    other_day: int | None = None
    """The other reading of `05/07/1969`, where month and day can be exchanged."""


@dataclass(frozen=True, slots=True)
class Name:
    """The words of a name, folded for matching."""

    words: tuple[str, ...]
    initials: str = ""
    """The letters, when it is an acronym."""


Value = Quantity | Moment | Name


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact, and where it stands in its text."""

    kind: Kind
    start: int
    end: int
    value: Value
    weak: bool = False
    """Such as `one` or `first`: it can agree, and counts only against another fact in the same slot."""
    hour: bool = False
    """Whether a bare number stands where a time of day does: `at nine`."""
    rate: bool = False
    """Whether it says how often, or per how much: `twice a day`, `per hour`."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that the answer and the references do not share."""

    kind: Kind
    change: Change
    """`changed`: both sides say something, and it differs; `added`: only the answer; `missing`: only they.

    `less`: the answer says part of it, such as a list without a member, or `almost all` for `all`.
    """
    note: str
    answer: tuple[int, int] | None = None
    """Where it stands in the answer."""
    source: tuple[int, int] | None = None
    """Where it stands in the reference."""
    reference: int | None = None
    """Which of the references."""
    derived: bool = False
    """Whether it can be calculated from what the references say, or was given with the question."""


def outside(taken: Sequence[tuple[int, int]], facts: Iterable[Fact]) -> list[Fact]:
    """The facts that touch none of the stretches, which are in order and do not overlap."""
    starts = [start for start, _ in taken]

    def free(fact: Fact) -> bool:
        before = bisect_right(starts, fact.end - 1)
        return before == 0 or taken[before - 1][1] <= fact.start

    return [fact for fact in facts if free(fact)]


def distinct(facts: Iterable[Fact]) -> list[Fact]:
    """Each fact once, where it is first said."""
    first: dict[object, Fact] = {}
    for fact in facts:
        first.setdefault((fact.kind, fact.value, fact.hour), fact)
    return list(first.values())
