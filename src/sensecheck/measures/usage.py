"""What the answer took: time and money, as its source tells them."""

from dataclasses import dataclass

from sensecheck.core.errors import MissingInput
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space


@dataclass(frozen=True, slots=True)
class Latency:
    """How many milliseconds the answer took to come."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "latency"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the sample."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The milliseconds, or `MissingInput`: a recorded answer often has none."""
        if sample.latency_ms is None:
            raise MissingInput(
                "the source did not tell how long the answer took: the sample has no `latency_ms`"
            )
        return Reading(sample.latency_ms, f"the answer took {sample.latency_ms:g} ms")


@dataclass(frozen=True, slots=True)
class Cost:
    """What the answer cost, in the currency of whoever was paid."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "cost"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the sample."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The cost, or `MissingInput`."""
        if sample.cost is None:
            raise MissingInput("the source did not tell what the answer cost: the sample has no `cost`")
        return Reading(sample.cost, f"the answer cost {sample.cost:g}")
