"""How likely people would call an answer correct, given the expected one."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.alternatives import (
    both_texts,
    left_out,
    must_separate,
    read_as_empty,
    wanted_of,
)
from sensecheck.measures.correctness.comparing import compared
from sensecheck.measures.correctness.findings import reading_of
from sensecheck.measures.correctness.model import CorrectnessModel, shipped_model


@dataclass(frozen=True, slots=True)
class Correctness:
    """Reads words, letters, facts and meaning of the expected answer in the answer, and weighs them.

    The question, where there is one, tells which words of the expected answer are news.
    """

    model: CorrectnessModel = field(default_factory=shipped_model)
    expected: str | None = None
    """The text to compare with; None takes the sample's own."""
    separator: str | None = None
    """What stands between alternatives in the expected answer, the best of which counts; None: it is one."""

    def __post_init__(self) -> None:
        must_separate(self.separator)

    @property
    def name(self) -> str:
        """What people call it."""
        return "correctness"

    def needs(self, sample: Sample) -> Needs:
        """The answer and the expected one; nothing when one of them is empty."""
        return both_texts(sample, wanted_of(sample, self.expected, self.separator))

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer and all that it may be."""
        wanted = wanted_of(sample, self.expected, self.separator)
        return {"answer": sample.answer, "expected": (self.separator or " ").join(wanted)}

    def read(self, sample: Sample, space: Space) -> Reading:
        """The chance of the alternative that the answer comes nearest to, with what does not fit."""
        wanted = wanted_of(sample, self.expected, self.separator)
        if (empty := read_as_empty(sample, wanted)) is not None:
            return empty
        self.model.must_fit(space.encoder)
        read = space.readable(wanted)
        found = compared(sample, read, space)
        chances = [self.model.chance(each.features) for each in found]
        best = chances.index(max(chances))
        reading = reading_of(sample, read[best], found[best], chances[best], space)
        return reading.beside(left_out(wanted, read))
