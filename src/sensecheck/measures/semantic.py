"""How alike the answer and the expected one are in meaning, from 0 to 1."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.distances import (
    Numbers,
    angular_similarity,
    euclidean_similarity,
    manhattan_similarity,
)

Distance = Literal["cosine", "angular", "euclidean", "manhattan"]


@dataclass(frozen=True, slots=True)
class SemanticSimilarity:
    """The similarity of the answer to the expected one; an empty text is like nothing."""

    distance: Distance = "cosine"
    """`cosine`, where what is below 0 counts as 0; or 1 minus the angle or way between the unit vectors, as a
    share of the largest there could be."""
    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "semantic_similarity"

    def needs(self, sample: Sample) -> Needs:
        """Both texts; nothing when one of them is empty."""
        answer, expected = sample.answer, self._expected(sample)
        return Needs((answer, expected)) if answer.strip() and expected.strip() else Needs()

    def number(self, sample: Sample, space: Space) -> float:
        """How near they lie."""
        answer, expected = sample.answer, self._expected(sample)
        if not (answer.strip() and expected.strip()):
            return 0.0
        if self.distance == "cosine":
            near = space.closeness(answer, expected)
            return near if near > 0 else 0.0
        return _SIMILARITIES[self.distance](space.vector(answer), space.vector(expected))

    def read(self, sample: Sample, space: Space) -> Reading:
        """How near they lie, and which texts these are."""
        expected = self._expected(sample)
        for whose, text in (("answer", sample.answer), ("expected answer", expected)):
            if not text.strip():
                return Reading(0.0, f"the {whose} is empty, which is a similarity of 0 by convention")
        value = self.number(sample, space)
        pair = Evidence("nearest", Span.of("answer", sample.answer), Span.of("expected", expected), value)
        because = self._because(value, sample.answer, expected, space)
        return Reading(value, because, (pair,), space.unread(sample.answer, expected))

    def _because(self, value: float, answer: str, expected: str, space: Space) -> str:
        said = f"the {self.distance} similarity of the answer to the expected one is"
        if self.distance == "cosine" and (cosine := space.closeness(answer, expected)) < 0:
            return f"{said} 0, since their cosine, {cosine:.3f}, is below 0"
        return f"{said} {value:.3f}"

    def _expected(self, sample: Sample) -> str:
        expected = sample.expected if self.expected is None else self.expected
        return sample.must_have_expected() if expected is None else expected


_SIMILARITIES: Mapping[Distance, Callable[[Numbers, Numbers], float]] = {
    "angular": angular_similarity,
    "euclidean": euclidean_similarity,
    "manhattan": manhattan_similarity,
}
