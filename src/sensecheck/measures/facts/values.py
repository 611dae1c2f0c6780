"""What facts say, apart from how it is written."""

from dataclasses import dataclass


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
