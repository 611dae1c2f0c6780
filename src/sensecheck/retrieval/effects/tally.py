"""Counts of references, before the guards and after them."""

from dataclasses import dataclass
from typing import Any

from sensecheck.core.serialization import to_data


@dataclass(frozen=True, slots=True)
class Given:
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

    def __add__(self, other: "Given") -> "Given":
        return Given(
            self.queries + other.queries,
            self.references + other.references,
            self.relevant + other.relevant,
            self.irrelevant + other.irrelevant,
            self.unlabelled + other.unlabelled,
            self.chars + other.chars,
            self.queries_with_any + other.queries_with_any,
            self.queries_with_relevant + other.queries_with_relevant,
            self.queries_labelled + other.queries_labelled,
        )

    @property
    def coverage(self) -> float | None:
        """The share of queries that have at least one reference; None without queries."""
        return share(self.queries_with_any, self.queries)

    @property
    def relevant_coverage(self) -> float | None:
        """Of the queries with a label, the share that has a relevant reference; None where nobody said."""
        return share(self.queries_with_relevant, self.queries_labelled)

    def to_data(self) -> dict[str, Any]:
        """All counts, with the two coverages."""
        shares = {"coverage": self.coverage, "relevant_coverage": self.relevant_coverage}
        return dict.fromkeys(Given.__slots__, 0) | to_data(self) | shares


def given_of(labels: list[bool | None], chars: int, *, is_labelled: bool) -> Given:
    """The counts of one query: the labels of its references, and how long they are together."""
    return Given(
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


def share(part: float, whole: float) -> float | None:
    """What part of the whole; None of nothing."""
    return part / whole if whole else None
