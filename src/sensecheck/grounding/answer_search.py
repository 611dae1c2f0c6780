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
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict, could_not_judge, decide, require_check
from sensecheck.grounding.extractive import Matrix, extraction, speaks_of, texts_of
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
            asked, passage = texts_of(sample)
        except CannotJudge:
            return Needs()
        if left_to_extraction(asked, passage):
            return extraction().needs(sample, known)
        wanted = _word_needs(asked, passage)
        if not known.answers(wanted):
            return wanted
        found = self._best(asked, passage, known)
        if found is not None:
            wanted |= Needs(pairs=tuple(pair_of(asked, one) for one in found[1]))
            if not known.answers(wanted) or self._is_read(asked, found[1], known):
                return wanted
        return wanted | extraction().needs(sample, known)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The best sentence and those about as good, in the order of the passage."""
        try:
            asked, passage = texts_of(sample)
            found = None if left_to_extraction(asked, passage) else self._best(asked, passage, space)
            if found is None or not self._is_read(asked, found[1], space):
                return extraction().decide(sample, space)
            rows = self.features(asked, *found, space)
        except CannotJudge as reason:
            return could_not_judge(self.name, reason, cutoff=self.cutoff)
        odds = rows @ np.array(self.weights[:-1]) + self.weights[-1]
        given = [
            (one, float(1 / (1 + np.exp(-own))))
            for one, own in zip(found[1], odds, strict=True)
            if own >= odds.max() - self.margin
        ]
        value = max(sure for _, sure in given)
        evidence = tuple(
            Evidence("answers", source=Span.of("passages[0]", passage, one.start, one.end), closeness=sure)
            for one, sure in sorted(given, key=lambda item: item[0].start)
        )
        reading = Reading(value, f"the passage answers with {value:.0%} certainty", evidence)
        return decide(self.name, reading, self.cutoff, _mark(space))

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict under this cutoff, from a stored reading."""
        require_check(self.name, verdict)
        return verdict if verdict.reading is None else verdict.with_cutoff(self.cutoff)

    def features(self, asked: str, found: Quotables, best: Sequence[Quotable], space: Space) -> Matrix:
        """All that is seen of the sentences that were read, one row for each."""
        supported = np.array([_log_odds(space, pair_of(asked, one)) for one in best])
        yes_no = float(kind_of(asked) == "yes_no")
        rows = word_features(asked, found, space)[[found.each.index(one) for one in best]]
        return np.column_stack((rows, supported, supported * yes_no))

    def _best(self, asked: str, passage: str, space: Space) -> tuple[Quotables, tuple[Quotable, ...]] | None:
        """What can be read, and the sentences that the cross-encoder reads; None where nothing can be."""
        found = _readable(quotables_of(passage), space)
        if found is None or asked in space.failed or (asked,) in space.failed:
            return None
        odds = word_features(asked, found, space) @ np.array(self.first)
        return found, tuple(found.each[at] for at in np.argsort(-odds, kind="stable")[:READ_SENTENCES])

    def _is_read(self, asked: str, best: Sequence[Quotable], space: Space) -> bool:
        """Whether the encoder and the cross-encoder of the weights have read them all."""
        fitted = self.cutoff.certificate
        if fitted is not None and fitted.encoder != _mark(space):
            return False
        return all(pair_of(asked, one) in space.pairs for one in best)


def _mark(space: Space) -> str | None:
    return "+".join(filter(None, (space.encoder, space.scorer))) or None


def _word_needs(asked: str, passage: str) -> Needs:
    return Needs(tokens=(asked, *(one.titled for one in quotables_of(passage).each)))


def _readable(found: Quotables, space: Space) -> Quotables | None:
    """Without what the encoder cannot read, a formula between sentences, say; None where that is all."""
    each = tuple(
        one for one in found.each if one.titled not in space.failed and (one.titled,) not in space.failed
    )
    return replace(found, each=each) if each else None


def left_to_extraction(asked: str, passage: str) -> bool:
    """Whether the cross-encoder is of no help.

    So it is with a question about the whole, in another language, and where the question speaks of a name or
    a date that the passage lacks, which the cross-encoder hardly notices.
    """
    question = question_of(asked)
    if question.whole or unverified({"question": asked, "passage": passage}) is not None:
        return True
    found = quotables_of(passage)
    return any(not speaks_of(fact, found) for fact in question.facts)


def pair_of(question: str, sentence: Quotable) -> tuple[str, str]:
    """The question, as a claim, and the sentence, as the cross-encoder reads them."""
    claim = question.strip()
    claim = claim if claim.endswith("?") else f"{claim}?"
    return claim, " ".join(sentence.titled.split())[:MAX_READ_CHARS]


def word_features(asked: str, found: Quotables, space: Space) -> Matrix:
    """What is seen without the cross-encoder, one row for each sentence."""
    near = space.similarities(asked, [one.titled for one in found.each])
    kind = kind_of(asked)
    known = {fact.value for fact in question_of(asked).facts}
    fits = np.array([_fits(kind, one, known) for one in found.each], np.float64)
    typed = float(kind not in (None, "yes_no"))
    return np.column_stack((near, _coverage(asked, found, space), fits * typed, (1 - fits) * typed))


def _log_odds(space: Space, pair: tuple[str, str]) -> float:
    return -max(-10.0, min(10.0, space.pair(*pair).value))


def _coverage(asked: str, found: Quotables, space: Space) -> Matrix:
    """How near the words of each sentence come to those of the question: on average, and the worst."""
    said = _topic_words(asked)
    vectors, stems = word_vectors(space.tokens(asked), said), [stem(word.text) for word in said]
    unknown = math.log(1 + len(found.each))
    weights = np.array([found.rarity.get(word, unknown) for word in stems]) + 1e-6
    near = np.zeros((len(found.each), len(said)))
    for row, one in enumerate(found.each):
        if own := _content(one.titled):
            near[row] = (word_vectors(space.tokens(one.titled), own) @ vectors.T).max(axis=0)
            held = {stem(word.text) for word in own}
            near[row, [word in held for word in stems]] = 1.0
    return np.column_stack((near @ (weights / weights.sum()), near.min(axis=1)))


@lru_cache(maxsize=4096)
def _content(text: str) -> tuple[Word, ...]:
    return tuple(word for word in words(text) if not is_stop_word(word.text))


def _topic_words(asked: str) -> tuple[Word, ...]:
    """The words that say what is asked about; all of them where none does."""
    content = _content(asked)
    return tuple(word for word in content if not asks_only(word.text)) or content or tuple(words(asked))


def _fits(kind: AnswerKind | None, one: Quotable, known: Container[Value]) -> bool:
    """Whether a sentence has something of the kind that is asked for, which the question does not say."""
    facts = [fact for fact in one.facts if fact.value not in known]
    amounts = [fact.value for fact in facts if isinstance(fact.value, Quantity)]
    match kind:
        case "money":
            return bool(_FREE.search(one.read)) or any(
                _CURRENCY.fullmatch(amount.dimension) for amount in amounts
            )
        case "date":
            return any(fact.kind == "date" for fact in facts) or any(
                one.dimension == "time" for one in amounts
            )
        case "number":
            return bool(amounts) or any(fact.kind == "date" for fact in facts)
        case "name":
            return any(fact.kind == "name" for fact in facts) or "@" in one.read
        case "command":
            return bool(_COMMAND.search(one.read))
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
