"""References that a stage dropped, by what somebody said of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Gone:
    """How many of each label; they add up."""

    relevant: int = 0
    irrelevant: int = 0
    unlabelled: int = 0

    @classmethod
    def of(cls, labels: Iterable[bool | None]) -> "Gone":
        """The counts of these labels."""
        held = list(labels)
        return cls(held.count(True), held.count(False), held.count(None))

    def __add__(self, other: "Gone") -> "Gone":
        return Gone(
            self.relevant + other.relevant,
            self.irrelevant + other.irrelevant,
            self.unlabelled + other.unlabelled,
        )

    @property
    def references(self) -> int:
        """All of them."""
        return self.relevant + self.irrelevant + self.unlabelled

    def to_data(self) -> dict[str, Any]:
        """All four counts."""
        return {"references": self.references, **{name: getattr(self, name) for name in self.__slots__}}


def added(one: Mapping[str, Gone], other: Mapping[str, Gone]) -> dict[str, Gone]:
    """What both have dropped, by stage."""
    return {stage: one.get(stage, Gone()) + other.get(stage, Gone()) for stage in (*one, *other)}
