"""The expected answer's words and its meaning in the answer, weighed together."""

from dataclasses import dataclass

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.alternatives import (
    both_texts,
    left_out,
    must_separate,
    read_as_empty,
    wanted_of,
)
from sensecheck.measures.lexical.squad import gold_recall

RECALL = 0.7
"""The weight of the words; the rest is the cosine's."""


@dataclass(frozen=True, slots=True)
class RecallAndCosine:
    """The share of the expected answer's words in the answer, and the cosine of both, as one weighted mean.

    Words tell a long answer that holds a short expected one; the cosine tells one that says it otherwise.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""
    separator: str | None = None
    """What stands between alternatives in the expected answer, the best of which counts; None: it is one."""

    def __post_init__(self) -> None:
        must_separate(self.separator)

    @property
    def name(self) -> str:
        """What people call it."""
        return "recall_and_cosine"

    def needs(self, sample: Sample) -> Needs:
        """The answer and the expected one; nothing when one of them is empty."""
        return both_texts(sample, wanted_of(sample, self.expected, self.separator))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The weighted mean, of the best alternative."""
        wanted = wanted_of(sample, self.expected, self.separator)
        if (empty := read_as_empty(sample, wanted)) is not None:
            return empty
        read = space.readable(wanted)
        best = max((_read(sample.answer, each, space) for each in read), key=lambda found: found.value)
        return best.beside(left_out(wanted, read))


def combined(recall: float, cosine: float) -> float:
    """The weighted mean of a share of words and a cosine, of which what is below 0 counts as 0."""
    return RECALL * recall + (1 - RECALL) * max(cosine, 0.0)


def _read(answer: str, expected: str, space: Space) -> Reading:
    recall, cosine = gold_recall(answer, expected), space.closeness(answer, expected)
    pair = Evidence("nearest", Span.of("answer", answer), Span.of("expected", expected), cosine)
    because = (
        f"the answer holds {recall:.0%} of the expected answer's words, and their cosine is {cosine:.3f}"
    )
    return Reading(combined(recall, cosine), because, (pair,), space.unread(answer, expected))
