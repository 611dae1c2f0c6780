"""How near the retrieved passages lie to the question."""

from dataclasses import dataclass
from typing import Literal

from sensecheck.core.errors import MissingInput, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import unknown
from sensecheck.core.space import Space

Of = Literal["best", "mean"]
OFS: tuple[Of, ...] = ("best", "mean")


@dataclass(frozen=True, slots=True)
class RetrievalCloseness:
    """The closeness of the question to its nearest passage, or to all of them in the mean, from 0 to 1.

    Texts are read whole: it is the cosine that a vector store gives for the same encoder, and what is below 0
    counts as 0. An empty text is near nothing.
    """

    of: Of = "best"
    """The best does not move with how many passages are asked for. The mean does: each further passage lies
    further away; it tells how much beside the point comes along."""

    def __post_init__(self) -> None:
        if self.of not in OFS:
            raise SpecError(unknown("way to see several passages as one", self.of, OFS))

    @property
    def name(self) -> str:
        """What people call it."""
        return "retrieval_closeness"

    def needs(self, sample: Sample) -> Needs:
        """The question and the passages; nothing when the question, or all of the passages, are empty."""
        texts = (_question(sample), *filter(str.strip, sample.must_have_passages()))
        return Needs(texts=texts) if texts[0].strip() and len(texts) > 1 else Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The cosine of the nearest passage, or the mean of all cosines."""
        question, asked = _question(sample), self.needs(sample).texts
        if not asked:
            return Reading(0.0, "the question or every passage is empty: a closeness of 0 by convention")
        near = [_closeness(question, passage, space) for passage in sample.passages]
        best = max(range(len(near)), key=near.__getitem__)
        value = near[best] if self.of == "best" else sum(near) / len(near)
        found = Span.of(f"passages[{best}]", sample.passages[best])
        nearest = Evidence("nearest", None, found, near[best])
        return Reading(value, _because(self.of, value, len(near)), (nearest,), space.unread(*asked))


def _closeness(question: str, passage: str, space: Space) -> float:
    return max(0.0, space.closeness(passage, question)) if passage.strip() else 0.0


def _because(of: Of, value: float, count: int) -> str:
    if count == 1:
        return f"the passage's closeness to the question is {value:.3f}"
    if of == "best":
        return f"the closeness of the nearest of {count} passages to the question is {value:.3f}"
    return f"the mean closeness of {count} passages to the question is {value:.3f}"


def _question(sample: Sample) -> str:
    if sample.question is None:
        raise MissingInput("the sample has no `question` that the passages were found for")
    return sample.question
