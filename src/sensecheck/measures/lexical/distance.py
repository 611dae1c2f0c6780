"""How many letters must be changed to make the answer the expected one."""

from dataclasses import dataclass

from sensecheck.core.extras import extra
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space


@dataclass(frozen=True, slots=True)
class Levenshtein:
    """The fewest letters to add, leave out or exchange; 0 for the same text.

    A letter is a code point: an emoji outside the basic plane counts once, where JavaScript counts two.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "levenshtein"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The distance."""
        with extra("lexical"):
            from rapidfuzz.distance.Levenshtein import distance  # noqa: PLC0415 - an extra
        expected = sample.must_have_expected() if self.expected is None else self.expected
        changes = distance(sample.answer, expected)
        pair = Evidence("compared", Span.of("answer", sample.answer), Span.of("expected", expected))
        return Reading(float(changes), f"{changes} changes of letters make it the expected answer", (pair,))
