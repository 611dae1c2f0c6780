"""What a fact is, and what a difference of facts is."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sensecheck.measures.facts.values import Value

Kind = Literal["number", "unit", "date", "name", "negation", "opposite", "comparison", "quantifier"]
Change = Literal["changed", "added", "missing"]


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


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that the answer and the references do not share."""

    kind: Kind
    change: Change
    """`changed`: both sides say something, and it differs; `added`: only the answer; `missing`: only they."""
    note: str
    answer: tuple[int, int] | None = None
    """Where it stands in the answer."""
    source: tuple[int, int] | None = None
    """Where it stands in the reference."""
    reference: int | None = None
    """Which of the references."""
    derived: bool = False
    """Whether it can be calculated from what the references say, or was given with the question."""
