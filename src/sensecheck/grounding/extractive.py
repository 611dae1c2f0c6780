"""Answers without a language model: the sentences of a passage that answer a question.

Each sentence is scored by a few features of it and the question; for questions about the passage as a whole,
those are given that say most of it. Of several sections, a cutoff of its own says which answer at all.
"""

import json
import math
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.checks.gate import Gate
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import CannotJudge, MissingInput
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import from_data
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict
from sensecheck.grounding.question import ParsedQuestion, Quotable, Quotables, question_of, quotables_of
from sensecheck.grounding.sanitize import without_orders
from sensecheck.grounding.writer import WriterRequest
from sensecheck.measures.claims.evidence import gather
from sensecheck.measures.facts.dates import agree
from sensecheck.measures.facts.fact import Fact, Moment, Name

Matrix = npt.NDArray[np.float64]

_ENOUGH = 120
"""In words: a summary of a passage is no longer, unless a single sentence is."""

MOST = 3
"""So many sentences are given at most."""
_FILE = "extracting.json"

Find = Callable[[WriterRequest], Awaitable[Sequence[tuple[int, int]]]]
"""Finds the stretches of a passage that answer a question, as (start, end); none where it does not."""

_RELATED_FILE = "relating.json"
Place = tuple[int, int]
Answers = Sequence[tuple[Place, float]]
"""Sentences of a section, each with how surely it answers, as `answers_in` tells them."""


class ExtractiveWriter:
    """Says what the passage says, in its own words and its own order."""

    name = "extractive"

    def __init__(self, find: Find) -> None:
        self._find = find

    async def write(self, asked: WriterRequest) -> AsyncGenerator[str, None]:
        """The sentences that were found, a piece each; what lies between two of them is left out."""
        previous_end = None
        for start, end in sorted(await self._find(asked)):
            yield (
                _between(asked.passage, previous_end, start) if previous_end is not None else ""
            ) + asked.passage[start:end]
            previous_end = end

    async def close(self) -> None:
        """End nothing: whoever finds the sentences is not ours."""


def to_extract(question: str, passage: str) -> Sample | None:
    """What `extraction` is asked about; None where there is nothing to ask, or nothing to answer with."""
    readable = without_orders(passage)
    if not question.strip() or not quotables_of(readable).each:
        return None
    return Sample("", question=question, passages=(readable,))


def answers_in(verdict: Verdict) -> tuple[tuple[tuple[int, int], float], ...]:
    """Where the sentences stand that the verdict of `extraction` gives, each with how surely it answers."""
    if verdict.outcome == "error" or verdict.reading is None or verdict.cutoff is None:
        raise CannotJudge(verdict.because)
    scored_sources = [(item.source, item.closeness or 0.0) for item in verdict.reading.evidence]
    return tuple(
        ((source.start, source.end), certainty)
        for source, certainty in scored_sources
        if source is not None and certainty >= verdict.cutoff.value
    )


@cache
def extraction() -> Check:
    """The rule with its weights and its line, as `benchmarks/quality/extractive.py` fitted them."""
    return extraction_from(json.loads(files(__package__).joinpath(_FILE).read_text(encoding="utf-8")))


def extraction_from(data: dict[str, Any]) -> Gate:
    """The rule that data describes; unknown keys are errors."""
    cutoff = Cutoff.from_data(data["cutoff"])
    rule: AnswerInPassage = from_data(AnswerInPassage, data["rule"], at=_FILE)
    return Gate(rule, cutoff)


@dataclass(frozen=True, slots=True)
class SentenceFeatures:
    """One number for each thing that is seen; as weights, how much each of them counts."""

    near: float
    """How close the sentence lies to the question."""
    held: float
    """The share of the question's words that it holds, each by its rarity."""
    around: float
    """The same, with what leads to it and the sentence before."""
    wanted: float
    """Whether it has something of the kind that is asked for, and that the question does not say itself."""
    lacking: float
    """Whether a kind is asked for that it does not have."""
    strange: float
    """Whether the question speaks of a name or a date that the whole passage lacks."""


@dataclass(frozen=True, slots=True)
class AnswerInPassage:
    """How surely a sentence of the passage answers the question, from 1 down to 0."""

    weights: SentenceFeatures
    """How much each thing that is seen of a sentence counts, in log odds."""
    bias: float
    margin: float
    """How far, in log odds, a sentence may lie below the best one and still be given with it."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "answer_in_passage"

    def needs(self, sample: Sample) -> Needs:
        """The question, and the passage sentence by sentence."""
        question, passage = texts_of(sample)
        return Needs(texts=(question, *(sentence.read for sentence in quotables_of(passage).each)))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The surest sentence, and those that are about as sure, in the order of the passage."""
        question_text, passage = texts_of(sample)
        question, quotables = question_of(question_text), quotables_of(passage)
        readable = _readable(quotables, space)
        lost_chars = sum(len(sentence.read) for sentence in quotables.each if sentence.read in space.failed)
        unread = lost_chars + space.unread(question_text, *(sentence.read for sentence in readable.each))
        if question.whole:
            summary = _summary_sentences(question, readable, space, most=MOST)
            because = "the question is about the passage as a whole"
            return Reading(float(bool(summary)), because, answers_as_evidence(passage, summary), unread)
        near = space.similarities(question_text, [sentence.read for sentence in readable.each])
        odds = features(question, readable, near) @ np.array(astuple(self.weights)) + self.bias
        best = np.argsort(-odds, kind="stable")[:MOST]
        certainties = {
            int(index): certainty(odds[index])
            for index in sorted(best)
            if odds[index] >= odds[best[0]] - self.margin
        }
        value = max(certainties.values())
        because = f"the passage answers with {value:.0%} certainty"
        answers = [(readable.each[index], certainty) for index, certainty in certainties.items()]
        return Reading(value, because, answers_as_evidence(passage, answers), unread)


def features(question: ParsedQuestion, found: Quotables, near: npt.NDArray[np.float32]) -> Matrix:
    """A row for each."""
    unknown = math.log(1 + len(found.each))  # a word that stands nowhere in the passage says most
    # in one order, so that sums are always the same
    weights = {word: found.rarity.get(word, unknown) for word in sorted(question.stems)}
    total = sum(weights.values())
    strange = float(any(not speaks_of(fact, found) for fact in question.facts))
    rows = (
        SentenceFeatures(
            float(similarity),
            _word_share(weights, total, sentence.stems),
            _word_share(weights, total, sentence.around),
            *_kind_features(question, sentence),
            strange,
        )
        for sentence, similarity in zip(found.each, near, strict=True)
    )
    return np.array([astuple(row) for row in rows], np.float64)


def answering(sections: Sequence[Answers], line: Cutoff) -> list[tuple[int, Place]]:
    """Which sections answer, the surest first, each with its best sentence; as sure ones stay in order."""
    best = [(index, best_of(answers)) for index, answers in enumerate(sections)]
    passing = [
        (index, *answer) for index, answer in best if answer is not None and line.side(answer[1]) == "pass"
    ]
    return [(index, place) for index, place, _ in sorted(passing, key=lambda item: -item[2])]


def best_of(found: Answers) -> tuple[Place, float] | None:
    """The sentence that answers best; None where none does."""
    return max(found, key=lambda one: one[1], default=None)


@cache
def related() -> Cutoff:
    """How surely a section must answer, as `benchmarks/quality/related.py` fitted it."""
    data = json.loads(files(__package__).joinpath(_RELATED_FILE).read_text(encoding="utf-8"))
    return Cutoff.from_data(data["cutoff"])


def _between(passage: str, end: int, start: int) -> str:
    """The space between two sentences: their own where nothing else lies between them."""
    gap = passage[end:start]
    if not gap.strip():
        return gap
    return "\n\n" if "\n" in gap else " "


def texts_of(sample: Sample) -> tuple[str, str]:
    """The question and the passage."""
    if sample.question is None:
        raise MissingInput("the sample has no `question` to answer")
    return sample.question, sample.require_passages()[0]


def _readable(quotables: Quotables, space: Space) -> Quotables:
    """The quotables without sentences that the encoder failed on; all of them where none would be left."""
    sentences = tuple(sentence for sentence in quotables.each if sentence.read not in space.failed)
    return replace(quotables, each=sentences) if sentences else quotables


def _summary_sentences(
    question: ParsedQuestion, quotables: Quotables, space: Space, *, most: int
) -> list[tuple[Quotable, float]]:
    """One sentence for `What is this?`, a few for `Summarise`; of those with a date for `When was this?`.

    Texts open with what they are about, so that the first sentence is the one, unless a date, a number or a
    name is asked for. The others are those that together hold most words and lie near to the middle.
    """
    suitable = [
        sentence
        for sentence in quotables.each
        if question.wanted is None or _has_expected_kind(question, sentence)
    ]
    candidates = [sentence for sentence in suitable if sentence.prose and sentence.stems] or suitable
    if not candidates or not question.sums:
        return [(sentence, 1.0) for sentence in candidates[:1]]
    vectors = np.stack([space.vector(sentence.read) for sentence in candidates])
    middle = vectors.mean(axis=0)
    chosen = gather(
        frozenset(quotables.rarity),
        [sentence.stems for sentence in candidates],
        vectors @ (middle / (np.linalg.norm(middle) or 1.0)),
        lengths=[max(1, len(sentence.read.split())) for sentence in candidates],
        rare=quotables.rarity,
        words=_ENOUGH,
    )
    return [(candidates[index], 1.0) for index in sorted(chosen[:most])]


def _has_expected_kind(question: ParsedQuestion, sentence: Quotable) -> bool:
    """Whether a sentence has a value of the requested kind that the question does not mention."""
    question_values = {fact.value for fact in question.facts}
    return any(fact.kind == question.wanted and fact.value not in question_values for fact in sentence.facts)


def certainty(odds: float) -> float:
    """How sure log odds are, from 1 down to 0."""
    return float(1 / (1 + np.exp(-odds)))


def answers_as_evidence(passage: str, answers: list[tuple[Quotable, float]]) -> tuple[Evidence, ...]:
    """Sentences that answer, each with how surely it does."""
    return tuple(
        Evidence(
            "answers",
            source=Span.of("passages[0]", passage, sentence.start, sentence.end),
            closeness=certain,
        )
        for sentence, certain in answers
    )


def speaks_of(fact: Fact, found: Quotables) -> bool:
    """Whether the passage has a name, or its initials, or a date that agrees."""
    if isinstance(fact.value, Moment):
        others = (other.value for other in found.facts if isinstance(other.value, Moment))
        return any(agree(fact.value, other) for other in others)
    if not isinstance(fact.value, Name):
        return True
    name = fact.value
    if any(word in found.folded for word in name.words):
        return True
    if name.initials:
        return name.initials in found.openings
    return len(name.words) > 1 and "".join(word[:1] for word in name.words) in found.folded


def _word_share(weights: Mapping[str, float], total: float, stems: Collection[str]) -> float:
    return sum(weight for word, weight in weights.items() if word in stems) / total if total else 0.0


def _kind_features(question: ParsedQuestion, sentence: Quotable) -> tuple[float, float]:
    if question.wanted is None:
        return 0.0, 0.0
    has = _has_expected_kind(question, sentence)
    return float(has), float(not has)
