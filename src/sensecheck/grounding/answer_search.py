"""The sentences of a page that answer a question, as words, an encoder and a cross-encoder find them.

Every sentence is scored by what it shares with the question; the cross-encoder then reads the question with
the best few of them. Where no cross-encoder can be asked, `extraction` decides alone.
"""

import json
import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict, could_not_judge, decide, require_check
from sensecheck.grounding.extractive import (
    Matrix,
    answers_as_evidence,
    certainty,
    extraction,
    speaks_of,
    texts_of,
)
from sensecheck.grounding.question import Quotable, Quotables, asks_only, question_of, quotables_of
from sensecheck.measures.facts.fact import Quantity, Value
from sensecheck.measures.support.source import word_vectors
from sensecheck.text.languages import unverified
from sensecheck.text.words import Word, is_stop_word, stem, words

READ_SENTENCES = 3
"""How many sentences the cross-encoder reads with a question."""
MAX_READ_CHARS = 600
"""How much of a sentence it reads."""
_FILE = "answer_search.json"
AnswerKind = Literal["money", "date", "number", "name", "command", "yes_no"]
_AUXILIARY = (
    "is|are|was|were|am|do|does|did|can|could|will|would|may|might|must|should|has|have|had|isn't|aren't|"
    "don't|doesn't|can't|won't"
)
_KINDS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    (
        "money",
        re.compile(
            r"\b(?:how much|what|which)\b.*\b(?:costs?|prices?|fees?|fares?|charges?)\b"
            r"|\bhow (?:expensive|much (?:is|are|for))\b",
            re.I,
        ),
    ),
    ("date", re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b|\bhours\b", re.I)),
    ("number", re.compile(r"\bhow (?:many|much|long|old|far|large|big|tall|high|heavy|fast|often)\b", re.I)),
    (
        "name",
        re.compile(
            r"\b(?:who|whom|whose)\b|\b(?:what|which) (?:bank|company|person|country|city|town|firm|provider"
            r"|team|university|organi[sz]ation)\b",
            re.I,
        ),
    ),
    ("command", re.compile(r"\b(?:what|which) command\b", re.I)),
    ("yes_no", re.compile(rf"^\W*(?:(?:and|so|but|hi|hello)\W+)?(?:{_AUXILIARY})\b", re.I)),
)
_FREE = re.compile(r"\bfree\b|\bno (?:extra )?(?:charge|cost|fee)|\b\d+(?:\.\d+)?(?:p|c|ct)\b", re.I)
_COMMAND = re.compile(r"`|(?:^|\s)--?\w|\b(?:pip|npm|npx|brew|apt|sudo|docker|git|curl|cargo|uv)\s+\w", re.M)
_CURRENCY = re.compile(r"[A-Z]{3}")


def kind_of(question: str) -> AnswerKind | None:
    """The kind of thing that a question asks for; None where anything may answer it."""
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), None)


FEATURES = (
    "near", "covered", "weakest", "fitting", "unfitting", "supported", "supported_yes_no"
)  # fmt: skip
"""What is seen of a sentence and a question, in the order of the weights.

near: how close the two are to the encoder.
covered, weakest: how near the words of the sentence come to those of the question; of all, and of the worst.
fitting, unfitting: whether it has what is asked for, an amount of money, say; whether it lacks it.
supported: the log odds that the sentence supports the question, read as a statement.
supported_yes_no: the same where the question wants yes or no.
"""
_OF_WORDS = FEATURES.index("supported")


@dataclass(frozen=True, slots=True)
class AnswerSearch:
    """Finds the sentences of the first passage that answer the question; a check."""

    first: tuple[float, ...]
    """The weights by which sentences are chosen for the cross-encoder."""
    weights: tuple[float, ...]
    """The weights of all features, the bias last, in log odds."""
    margin: float
    """How far, in log odds, a sentence may be below the best one and still be given with it."""
    cutoff: Cutoff

    @property
    def name(self) -> str:
        """What people call it."""
        return "answer_search"

    def needs(self, sample: Sample, known: Space) -> Needs:
        """The question and the sentences word by word; then the pairs that the cross-encoder reads.

        Where one of them cannot be had, what `extraction` needs.
        """
        try:
            question, passage = texts_of(sample)
        except CannotJudge:
            return Needs()
        if left_to_extraction(question, passage):
            return extraction().needs(sample, known)
        needs = Needs(tokens=(question, *(sentence.in_context for sentence in quotables_of(passage).each)))
        if not known.answers(needs):
            return needs
        selection = self._best(question, passage, known)
        if selection is not None:
            needs |= Needs(pairs=tuple(pair_of(question, sentence) for sentence in selection[1]))
            if not known.answers(needs) or self._is_read(question, selection[1], known):
                return needs
        return needs | extraction().needs(sample, known)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The best sentence and those about as good, in the order of the passage."""
        try:
            question, passage = texts_of(sample)
            selection = (
                None if left_to_extraction(question, passage) else self._best(question, passage, space)
            )
            if selection is None or not self._is_read(question, selection[1], space):
                return extraction().decide(sample, space)
            rows = self.features(question, *selection, space)
        except CannotJudge as reason:
            return could_not_judge(self.name, reason, cutoff=self.cutoff)
        odds = rows @ np.array(self.weights[:-1]) + self.weights[-1]
        answers = [
            (selection[1][index], certainty(odds[index]))
            for index in answering(selection[1], odds, self.margin)
        ]
        value = max(certain for _, certain in answers)
        evidence = answers_as_evidence(passage, sorted(answers, key=lambda item: item[0].start))
        reading = Reading(value, f"the passage answers with {value:.0%} certainty", evidence)
        return decide(self.name, reading, self.cutoff, _mark(space))

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict under this cutoff, from a stored reading."""
        require_check(self.name, verdict)
        return verdict if verdict.reading is None else verdict.with_cutoff(self.cutoff)

    def features(self, asked: str, found: Quotables, best: Sequence[Quotable], space: Space) -> Matrix:
        """All that is seen of the sentences that were read, one row for each."""
        supported = np.array([_log_odds(space, pair_of(asked, sentence)) for sentence in best])
        yes_no = float(kind_of(asked) == "yes_no")
        rows = word_features(asked, found, space)[[found.each.index(sentence) for sentence in best]]
        return np.column_stack((rows, supported, supported * yes_no))

    def _best(
        self, question: str, passage: str, space: Space
    ) -> tuple[Quotables, tuple[Quotable, ...]] | None:
        """The readable quotables, and the sentences for the cross-encoder; None where nothing is readable."""
        readable = _readable(quotables_of(passage), space)
        if readable is None or question in space.failed or (question,) in space.failed:
            return None
        odds = word_features(question, readable, space) @ np.array(self.first)
        return readable, tuple(
            readable.each[index] for index in np.argsort(-odds, kind="stable")[:READ_SENTENCES]
        )

    def _is_read(self, question: str, best: Sequence[Quotable], space: Space) -> bool:
        """Whether the models that the weights were fitted for have read all of these sentences."""
        certificate = self.cutoff.certificate
        if certificate is not None and certificate.encoder != _mark(space):
            return False
        return all(pair_of(question, sentence) in space.pairs for sentence in best)


def _mark(space: Space) -> str | None:
    return "+".join(filter(None, (space.encoder, space.scorer))) or None


def _readable(quotables: Quotables, space: Space) -> Quotables | None:
    """The quotables without sentences that the encoder failed on, formulas say; None if none is left."""
    sentences = tuple(
        sentence
        for sentence in quotables.each
        if sentence.in_context not in space.failed and (sentence.in_context,) not in space.failed
    )
    return replace(quotables, each=sentences) if sentences else None


def left_to_extraction(asked: str, passage: str) -> bool:
    """Whether the cross-encoder is of no help.

    So it is with a question about the whole, in another language, and where the question speaks of a name or
    a date that the passage lacks, which the cross-encoder hardly notices.
    """
    question = question_of(asked)
    if question.whole or unverified({"question": asked, "passage": passage}) is not None:
        return True
    quotables = quotables_of(passage)
    return any(not speaks_of(fact, quotables) for fact in question.facts)


def pair_of(question: str, sentence: Quotable) -> tuple[str, str]:
    """The question, as a claim, and the sentence, as the cross-encoder reads them."""
    claim = question.strip()
    claim = claim if claim.endswith("?") else f"{claim}?"
    return claim, " ".join(sentence.in_context.split())[:MAX_READ_CHARS]


def answering(sentences: Sequence[Quotable], odds: Matrix, margin: float) -> list[int]:
    """Which sentences answer: the best one and those about as good.

    One that points back owes its odds to the sentence before it where that one answers better.
    """
    return [
        index
        for index, sentence in enumerate(sentences)
        if odds[index] >= odds.max() - margin
        and not any(
            sentence.before and other.read.endswith(sentence.before) and odds[at] > odds[index]
            for at, other in enumerate(sentences)
        )
    ]


def word_features(asked: str, found: Quotables, space: Space) -> Matrix:
    """What is seen without the cross-encoder, one row for each sentence."""
    near = space.similarities(asked, [sentence.in_context for sentence in found.each])
    kind = kind_of(asked)
    question_values = {fact.value for fact in question_of(asked).facts}
    fits = np.array([_fits(kind, sentence, question_values) for sentence in found.each], np.float64)
    typed = float(kind not in (None, "yes_no"))
    return np.column_stack((near, _coverage(asked, found, space), fits * typed, (1 - fits) * typed))


def _log_odds(space: Space, pair: tuple[str, str]) -> float:
    return -max(-10.0, min(10.0, space.pair(*pair).value))


def _coverage(question: str, quotables: Quotables, space: Space) -> Matrix:
    """How near the words of each sentence come to those of the question: on average, and the worst."""
    topic_words = _topic_words(question)
    vectors, stems = (
        word_vectors(space.tokens(question), topic_words),
        [stem(word.text) for word in topic_words],
    )
    unknown = math.log(1 + len(quotables.each))
    weights = np.array([quotables.rarity.get(word, unknown) for word in stems]) + 1e-6
    near = np.zeros((len(quotables.each), len(topic_words)))
    for row, sentence in enumerate(quotables.each):
        if content := _content(sentence.in_context):
            near[row] = (word_vectors(space.tokens(sentence.in_context), content) @ vectors.T).max(axis=0)
            sentence_stems = {stem(word.text) for word in content}
            near[row, [word in sentence_stems for word in stems]] = 1.0
    return np.column_stack((near @ (weights / weights.sum()), near.min(axis=1)))


@lru_cache(maxsize=4096)
def _content(text: str) -> tuple[Word, ...]:
    return tuple(word for word in words(text) if not is_stop_word(word.text))


def _topic_words(question: str) -> tuple[Word, ...]:
    """The words that say what the question is about; all of them where none does."""
    content = _content(question)
    return tuple(word for word in content if not asks_only(word.text)) or content or tuple(words(question))


def _fits(kind: AnswerKind | None, sentence: Quotable, question_values: Container[Value]) -> bool:
    """Whether a sentence has a value of the requested kind that the question does not mention."""
    facts = [fact for fact in sentence.facts if fact.value not in question_values]
    amounts = [fact.value for fact in facts if isinstance(fact.value, Quantity)]
    match kind:
        case "money":
            return bool(_FREE.search(sentence.read)) or any(
                _CURRENCY.fullmatch(amount.dimension) for amount in amounts
            )
        case "date":
            return any(fact.kind == "date" for fact in facts) or any(
                amount.dimension == "time" for amount in amounts
            )
        case "number":
            return bool(amounts) or any(fact.kind == "date" for fact in facts)
        case "name":
            return any(fact.kind == "name" for fact in facts) or "@" in sentence.read
        case "command":
            return bool(_COMMAND.search(sentence.read))
        case _:
            return True


@cache
def answer_search() -> AnswerSearch:
    """The search with the weights and the cutoff that `benchmarks/quality/page_questions.py` fitted."""
    return answer_search_from(json.loads(files(__package__).joinpath(_FILE).read_text(encoding="utf-8")))


def answer_search_from(data: Mapping[str, Any]) -> AnswerSearch:
    """The search that data describes."""
    first = tuple(data["first"][name] for name in FEATURES[:_OF_WORDS])
    weights = tuple(data["weights"][name] for name in (*FEATURES, "bias"))
    return AnswerSearch(first, weights, data["margin"], Cutoff.from_data(data["cutoff"]))
