"""How many rows there were, and how often a line erred on those that it was not fitted on."""

from dataclasses import dataclass

from sensecheck.core.cutoff import Rate
from sensecheck.core.errors import SpecError


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows of each label a part of the data holds; rows of one group count once."""

    good: int
    bad: int

    def __post_init__(self) -> None:
        if min(self.good, self.bad) < 0:
            raise SpecError(f"counts of a card want 0 or more; found {self.good} good and {self.bad} bad")


@dataclass(frozen=True, slots=True)
class Rates:
    """What the line did on rows that it was not fitted on."""

    false_accepts: Rate | None = None
    """Bad answers that pass; None where there was no bad answer."""
    false_rejects: Rate | None = None
    unsure: Rate | None = None

    def __post_init__(self) -> None:
        for rate in filter(None, (self.false_accepts, self.false_rejects, self.unsure)):
            must_be_a_share(rate)


def must_be_a_share(rate: Rate) -> None:
    """Raise for a rate that is none, or that lies outside its own interval."""
    if not 0 <= rate.low <= rate.value <= rate.high <= 1 or rate.n < 0:
        raise SpecError(
            f"a rate of a card wants a share inside its interval, from 0 to 1; found {rate.value:g} in "
            f"{rate.low:g} to {rate.high:g}, of {rate.n}"
        )
