"""Several opinions of a judge as one number."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from sensecheck.core.errors import CannotJudge, MissingInput, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Measure
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space


@dataclass(frozen=True, slots=True)
class JudgedOverall:
    """The mean of some opinions, read off the very replies that they are read off; no further question.

    Where one of them cannot be read, there is no mean: one of those that are left would be another number.
    """

    parts: Mapping[str, Measure]
    """By the name that is told where one is missing."""

    def __post_init__(self) -> None:
        if not self.parts:
            raise SpecError("`parts` wants at least one opinion to take the mean of; found none")

    @property
    def name(self) -> str:
        """What people call it."""
        return "judged_overall"

    def needs(self, sample: Sample) -> Needs:
        """What they need."""
        return Needs.union(part.needs(sample) for part in self.parts.values())

    def read(self, sample: Sample, space: Space) -> Reading:
        """Their mean."""
        self.needs(sample)  # where a part does not apply, nothing was asked, and none can be read
        values = {name: _value(name, part, sample, space) for name, part in self.parts.items()}
        told = ", ".join(f"{name} {value:.3g}" for name, value in values.items())
        return Reading(fmean(values.values()), f"the mean of {told}")


def _value(name: str, part: Measure, sample: Sample, space: Space) -> float:
    try:
        return part.read(sample, space).value
    except MissingInput:
        raise
    except CannotJudge as reason:
        raise CannotJudge(f"there is no mean without `{name}`: {reason}") from reason
