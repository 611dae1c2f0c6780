"""How similar texts are in meaning: an answer to the expected one or to passages, a question to passages.

An expected answer may hold alternatives, of which one is enough.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from sensecheck.core.errors import MissingInput, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import UNREAD, Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import Space
from sensecheck.measures.distances import (
    Numbers,
    angular_similarity,
    euclidean_similarity,
    manhattan_similarity,
)

Distance = Literal["cosine", "angular", "euclidean", "manhattan"]
OfPassages = Literal["best", "mean"]

_NO_QUERY = "the sample has no `question`: the query that the reference was found for"
_NOT_ASKED = "the sample has no `question` that the passages were found for"
_SIMILARITIES: Mapping[Distance, Callable[[Numbers, Numbers], float]] = {
    "angular": angular_similarity,
    "euclidean": euclidean_similarity,
    "manhattan": manhattan_similarity,
}


@dataclass(frozen=True, slots=True)
class Similarity:
    """The similarity of the answer to the expected one, both read whole."""

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "similarity"

    def needs(self, sample: Sample) -> Needs:
        """Both texts."""
        return Needs(texts=(sample.answer, _expected(sample, self.expected)))

    def read(self, sample: Sample, space: Space) -> Reading:
        """Their cosine."""
        expected = _expected(sample, self.expected)
        similarity = space.similarity(sample.answer, expected)
        pair = Evidence(
            "nearest", Span.of("answer", sample.answer), Span.of("expected", expected), similarity
        )
        because = f"the answer's similarity to the expected one is {similarity:.3f}"
        return Reading(similarity, because, (pair,), space.unread(sample.answer, expected))


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
        answer, expected = sample.answer, _expected(sample, self.expected)
        return Needs((answer, expected)) if answer.strip() and expected.strip() else Needs()

    def number(self, sample: Sample, space: Space) -> float:
        """How similar they are."""
        answer, expected = sample.answer, _expected(sample, self.expected)
        if not (answer.strip() and expected.strip()):
            return 0.0
        if self.distance == "cosine":
            near = space.similarity(answer, expected)
            return near if near > 0 else 0.0
        return _SIMILARITIES[self.distance](space.vector(answer), space.vector(expected))

    def read(self, sample: Sample, space: Space) -> Reading:
        """How similar they are, and which texts these are."""
        expected = _expected(sample, self.expected)
        for whose, text in (("answer", sample.answer), ("expected answer", expected)):
            if not text.strip():
                return Reading(0.0, f"the {whose} is empty, which is a similarity of 0 by convention")
        value = self.number(sample, space)
        pair = Evidence("nearest", Span.of("answer", sample.answer), Span.of("expected", expected), value)
        because = self._because(value, sample.answer, expected, space)
        return Reading(value, because, (pair,), space.unread(sample.answer, expected))

    def _because(self, value: float, answer: str, expected: str, space: Space) -> str:
        prefix = f"the {self.distance} similarity of the answer to the expected one is"
        if self.distance == "cosine" and (cosine := space.similarity(answer, expected)) < 0:
            return f"{prefix} 0, since their cosine, {cosine:.3f}, is below 0"
        return f"{prefix} {value:.3f}"


@dataclass(frozen=True, slots=True)
class PassageSimilarity:
    """The similarity of the answer to its nearest window of any passage; long passages are read whole."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "passage_similarity"

    def needs(self, sample: Sample) -> Needs:
        """The answer and every passage."""
        return Needs(texts=(sample.answer, *sample.require_passages()))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The best cosine over all windows."""
        answer = space.vector(sample.answer)
        near = [space.embedding(p).windows @ answer for p in sample.require_passages()]
        best = max(range(len(near)), key=lambda i: float(near[i].max()))
        window = int(np.argmax(near[best]))
        similarity = float(np.clip(near[best][window], -1.0, 1.0))
        passage = sample.passages[best]
        start, end = space.embedding(passage).spans[window]
        nearest = Evidence(
            "nearest",
            Span.of("answer", sample.answer),
            Span.of(f"passages[{best}]", passage, start, end),
            similarity,
        )
        because = f"the answer's similarity to the nearest part of the passages is {similarity:.3f}"
        return Reading(similarity, because, (nearest,), space.unread(sample.answer, *sample.passages))


@dataclass(frozen=True, slots=True)
class Relevance:
    """The similarity of a retrieved reference, the sample's `answer`, to the query, its `question`.

    Both are read whole: this is the cosine that a vector store gives for the same encoder.
    """

    @property
    def name(self) -> str:
        """What people call it."""
        return "relevance"

    def needs(self, sample: Sample) -> Needs:
        """Both texts."""
        return Needs(texts=(sample.answer, _question(sample, _NO_QUERY)))

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """Both texts."""
        return {"answer": sample.answer, "question": _question(sample, _NO_QUERY)}

    def read(self, sample: Sample, space: Space) -> Reading:
        """Their cosine."""
        query = _question(sample, _NO_QUERY)
        similarity = space.similarity(sample.answer, query)
        pair = Evidence("nearest", Span.of("answer", sample.answer), Span.of("question", query), similarity)
        because = f"the reference's similarity to the query is {similarity:.3f}"
        return Reading(similarity, because, (pair,), space.unread(sample.answer, query))


@dataclass(frozen=True, slots=True)
class RetrievalCloseness:
    """The similarity of the question to its nearest passage, or to all of them in the mean, from 0 to 1.

    Texts are read whole: it is the cosine that a vector store gives for the same encoder, and what is below 0
    counts as 0. An empty text is near nothing.
    """

    of: OfPassages = "best"
    """The best does not move with how many passages are asked for. The mean does: each further passage lies
    further away; it tells how much next to the point comes along."""

    def __post_init__(self) -> None:
        if self.of not in get_args(OfPassages):
            raise SpecError(did_you_mean("way to see several passages as one", self.of, get_args(OfPassages)))

    @property
    def name(self) -> str:
        """What people call it."""
        return "retrieval_closeness"

    def needs(self, sample: Sample) -> Needs:
        """The question and the passages; nothing when the question, or all of the passages, are empty."""
        texts = (_question(sample, _NOT_ASKED), *filter(str.strip, sample.require_passages()))
        return Needs(texts=texts) if texts[0].strip() and len(texts) > 1 else Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The cosine of the nearest passage, or the mean of all cosines."""
        question, texts = _question(sample, _NOT_ASKED), self.needs(sample).texts
        if not texts:
            return Reading(0.0, "the question or every passage is empty: a similarity of 0 by convention")
        near = [
            max(0.0, space.similarity(passage, question)) if passage.strip() else 0.0
            for passage in sample.passages
        ]
        best = max(range(len(near)), key=near.__getitem__)
        value = near[best] if self.of == "best" else sum(near) / len(near)
        span = Span.of(f"passages[{best}]", sample.passages[best])
        nearest = Evidence("nearest", None, span, near[best])
        return Reading(value, self._because(value, len(near)), (nearest,), space.unread(*texts))

    def _because(self, value: float, count: int) -> str:
        if count == 1:
            return f"the passage's similarity to the question is {value:.3f}"
        if self.of == "best":
            return f"the similarity of the nearest of {count} passages to the question is {value:.3f}"
        return f"the mean similarity of {count} passages to the question is {value:.3f}"


def validate_separator(separator: str | None) -> None:
    """Raise unless it can stand between texts."""
    if separator is not None and not separator.strip():
        raise SpecError(f"`separator` must be a sign such as `/`, or none; got {separator!r}")


def expected_alternatives(sample: Sample, expected: str | None, separator: str | None) -> tuple[str, ...]:
    """The alternatives in a fixed text, or else in the sample's own expected answer.

    They are the different texts between the separators; without a separator the text itself, unless it is
    empty.
    """
    text = _expected(sample, expected)
    parts = (text,) if separator is None else (each.strip() for each in text.split(separator))
    return tuple(dict.fromkeys(each for each in parts if each.strip()))


def both_texts(sample: Sample, wanted: tuple[str, ...]) -> Needs:
    """The answer and all that it may be; nothing when one of them is empty."""
    return Needs(texts=(sample.answer, *wanted)) if wanted and sample.answer.strip() else Needs()


def left_out(wanted: tuple[str, ...], read: tuple[str, ...]) -> tuple[Evidence, ...]:
    """The alternatives that could not be read, as evidence: they decide nothing."""
    return tuple(
        Evidence(UNREAD, source=Span.of("expected", text), note="cannot be read, and is left out:")
        for text in wanted
        if text not in read
    )


def read_as_empty(sample: Sample, wanted: tuple[str, ...]) -> Reading | None:
    """The reading where the answer or the expected one is empty; None where there is something to compare."""
    if wanted and sample.answer.strip():
        return None
    whose = "answer" if wanted else "expected answer"
    return Reading(0.0, f"the {whose} is empty, which counts as 0")


def _expected(sample: Sample, expected: str | None) -> str:
    """The text set in a measure, or else the sample's own."""
    return sample.require_expected() if expected is None else expected


def _question(sample: Sample, missing: str) -> str:
    if sample.question is None:
        raise MissingInput(missing)
    return sample.question
