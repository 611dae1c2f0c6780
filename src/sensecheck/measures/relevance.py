"""How near a reference lies to the query it was found for."""

from collections.abc import Mapping
from dataclasses import dataclass

from sensecheck.core.errors import MissingInput
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space


@dataclass(frozen=True, slots=True)
class Relevance:
    """The closeness of a retrieved reference, the sample's `answer`, to the query, its `question`.

    Both are read whole: this is the cosine that a vector store gives for the same encoder.
    """

    @property
    def name(self) -> str:
        """What people call it."""
        return "relevance"

    def needs(self, sample: Sample) -> Needs:
        """Both texts."""
        return Needs(texts=(sample.answer, _query(sample)))

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """Both texts."""
        return {"answer": sample.answer, "question": _query(sample)}

    def read(self, sample: Sample, space: Space) -> Reading:
        """Their cosine."""
        query = _query(sample)
        closeness = space.closeness(sample.answer, query)
        pair = Evidence("nearest", Span.of("answer", sample.answer), Span.of("question", query), closeness)
        because = f"the reference's closeness to the query is {closeness:.3f}"
        return Reading(closeness, because, (pair,), space.unread(sample.answer, query))


def _query(sample: Sample) -> str:
    if sample.question is None:
        raise MissingInput("the sample has no `question`: the query that the reference was found for")
    return sample.question
