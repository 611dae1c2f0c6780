"""The best first and last, where models look most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Step
from sensecheck.retrieval.stage import Asked

Order = Literal["edges", "reverse"]


@dataclass(frozen=True, slots=True)
class Reorder:
    """`edges`: the best first, the second best last, and so on towards the middle; `reverse`: best last."""

    name: ClassVar[str] = "reorder"
    order: Order = "edges"

    def __post_init__(self) -> None:
        if self.order not in get_args(Order):
            raise SpecError(unknown("order", self.order, get_args(Order)))

    def __call__(self, matches: Sequence[Match], asked: Asked) -> Step:
        """All of them, in the new order."""
        if self.order == "reverse":
            return Step(tuple(reversed(matches)))
        return Step((*matches[::2], *reversed(matches[1::2])))


def reorder(order: Order = "edges") -> Reorder:
    """Put the best at the edges, or last."""
    return Reorder(order)
