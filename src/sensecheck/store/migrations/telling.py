"""What an upgrade tells while it works."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """Something that an upgrade does now."""

    says: str
    done: int = 0
    of: int | None = None
    """How many rows there are to do, about; None where that is not counted."""


Tell = Callable[[Step], None]


def nobody(_: Step) -> None:
    """Tell nobody."""
