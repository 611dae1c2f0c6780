"""How near the answer lies to the expected one."""

from dataclasses import dataclass

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space


@dataclass(frozen=True, slots=True)
class Similarity:
    """The closeness of the answer to the expected one, both read whole."""

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "similarity"

    def needs(self, sample: Sample) -> Needs:
        """Both texts."""
        return Needs(texts=(sample.answer, self._expected(sample)))

    def read(self, sample: Sample, space: Space) -> Reading:
        """Their cosine."""
        expected = self._expected(sample)
        closeness = space.closeness(sample.answer, expected)
        pair = Evidence("nearest", Span.of("answer", sample.answer), Span.of("expected", expected), closeness)
        because = f"the answer's closeness to the expected one is {closeness:.3f}"
        return Reading(closeness, because, (pair,), space.unread(sample.answer, expected))

    def _expected(self, sample: Sample) -> str:
        return sample.must_have_expected() if self.expected is None else self.expected
