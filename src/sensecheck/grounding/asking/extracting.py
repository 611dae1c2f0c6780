"""Answers without a model: the sentences of a passage that answer a question."""

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

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
from sensecheck.grounding.asking.fitting import Features, features
from sensecheck.grounding.asking.orders import without_orders
from sensecheck.grounding.asking.question import question_of
from sensecheck.grounding.asking.quotable import Quotable, Quotables, quotables_of
from sensecheck.grounding.asking.telling import telling_most

MOST = 3
"""So many sentences are given at most."""
_FILE = "extracting.json"


@dataclass(frozen=True, slots=True)
class AnswerInPassage:
    """How surely a sentence of the passage answers the question, from 1 down to 0."""

    weights: Features
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
        asked, passage = _texts(sample)
        return Needs(texts=(asked, *(one.read for one in quotables_of(passage).each)))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The surest sentence, and those that are about as sure, in the order of the passage."""
        asked, passage = _texts(sample)
        question, whole = question_of(asked), quotables_of(passage)
        found = _readable(whole, space)
        lost = sum(len(one.read) for one in whole.each if one.read in space.failed)
        unread = lost + space.unread(asked, *(one.read for one in found.each))
        if question.whole:
            told = telling_most(question, found, space, most=MOST)
            because = "the question is about the passage as a whole"
            return Reading(float(bool(told)), because, _evidence(passage, told), unread)
        near = space.closenesses(asked, [one.read for one in found.each])
        odds = features(question, found, near) @ np.array(self.weights.values()) + self.bias
        best = np.argsort(-odds, kind="stable")[:MOST]
        given = {int(at): _share(odds[at]) for at in sorted(best) if odds[at] >= odds[best[0]] - self.margin}
        value = max(given.values())
        because = f"the passage answers with {value:.0%} certainty"
        chosen = [(found.each[at], sure) for at, sure in given.items()]
        return Reading(value, because, _evidence(passage, chosen), unread)


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
    found = [(item.source, item.closeness or 0.0) for item in verdict.reading.evidence]
    return tuple(
        ((source.start, source.end), sure)
        for source, sure in found
        if source is not None and sure >= verdict.cutoff.line
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


def _texts(sample: Sample) -> tuple[str, str]:
    if sample.question is None:
        raise MissingInput("the sample has no `question` to answer")
    return sample.question, sample.must_have_passages()[0]


def _readable(found: Quotables, space: Space) -> Quotables:
    """Without what the encoder cannot read, a formula between sentences, say; unless that is all there is."""
    each = tuple(one for one in found.each if one.read not in space.failed)
    return replace(found, each=each) if each else found


def _evidence(passage: str, chosen: list[tuple[Quotable, float]]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence("answers", source=Span.of("passages[0]", passage, one.start, one.end), closeness=sure)
        for one, sure in chosen
    )


def _share(odds: float) -> float:
    return float(1 / (1 + np.exp(-odds)))
