"""The two shapes everything is made of: a measure reads, a check decides."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict


class Measure(Protocol):
    """Says what it needs, then reads one number off the space. No threshold, no I/O."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    def needs(self, sample: Sample) -> Needs:
        """What must be answered before the sample can be read."""
        ...

    def read(self, sample: Sample, space: Space) -> Reading:
        """The reading, or `CannotJudge`."""
        ...


@runtime_checkable
class FastMeasure(Protocol):
    """A measure that can tell its number without the reasons for it, which cost more than the number."""

    def number(self, sample: Sample, space: Space) -> float:
        """The value of `read`, which is finite, or `CannotJudge`."""
        ...


@runtime_checkable
class EnglishOnly(Protocol):
    """A measure whose rules, weights or cutoffs were only ever tested on English."""

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The texts that it takes for English, by where they stand."""
        ...


class Check(Protocol):
    """Says what it needs, given what is known so far; decides when nothing more is needed."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    def needs(self, sample: Sample, known: Space) -> Needs:
        """Everything this check needs, as far as can be told from what is known."""
        ...

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict on a sample, read off the space."""
        ...

    def redecide(self, verdict: Verdict) -> Verdict:
        """This check's verdict from the readings stored in an earlier verdict of the same shape."""
        ...
