"""Where one of two texts says yes and the other no, in so many words or by a negation.

Short answers are compared text by text, negations between sentences that are near each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.facts.negation import (
    Negation,
    abstains,
    denied_around,
    negated,
    negations,
    unclaimed,
)
from sensecheck.measures.facts.opposites import opposites_of
from sensecheck.measures.facts.parsing import Parsed, Sentence
from sensecheck.measures.facts.references import SentenceBeside
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word, stem

_PRONOUNS = frozenset(
    ("i", "you", "he", "she", "it", "we", "they", "there", "this", "that", "these", "those", "one")
)
_SURE = frozenset(("yes", "yeah", "yep", "yup", "nope", "nah"))
"""These answer whatever follows; others only where a mark or the end does."""
_GRANTS = frozenset(("can", "may", "could", "might"))
_VERBS = frozenset(("is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "can", "will"))
_RESTRICTING = frozenset(("only", "just", "but", "except", "some", "unless", "if"))
_MARKS = frozenset(",.;:!?—–-(")
_LEAD = 3
"""How many words may stand before `yes` or `no`: `Well, unfortunately no`."""


class _ShortAnswer(NamedTuple):
    """Yes (1) or no (-1), and where it is said."""

    sign: int
    start: int
    end: int
    rest: tuple[Word, ...]
    """The words of the sentence after it."""


@dataclass(frozen=True, slots=True)
class _NegatedSentence:
    """A sentence, with its negations."""

    sentence: Sentence
    found: Sequence[Negation]
    denied: frozenset[str]
    open: frozenset[str]
    """What it neither affirms nor denies."""
    quiet: frozenset[str]
    """What it denies without a negation, or of which it denies something: `pets are prohibited`."""

    @classmethod
    def of(cls, parsed: Parsed, sentence: Sentence) -> "_NegatedSentence":
        own_negations = negations(parsed.text, sentence)
        quiet = {word for negation in own_negations for word in (*negation.subject, *negation.scope)}
        quiet |= denied_around(parsed.text, sentence)
        return cls(
            sentence,
            own_negations,
            negated(own_negations),
            unclaimed(parsed.text, sentence),
            frozenset(quiet),
        )

    def affirms(self, negation: Negation, other: "_NegatedSentence") -> bool:
        """Whether it affirms what a negation of the other side governs."""
        heads = set(negation.scope[: negation.heads])
        if not negation.exception:
            heads = {word for word in heads if not word[0].isdigit()}
        elif _RESTRICTING.intersection(self.sentence.words_alone):
            return False
        if any(opposite in self.sentence.content for word in heads for opposite in opposites_of(word)):
            return False
        if negation.antecedent and negation.antecedent not in self.sentence.content:
            return False
        affirmed = self.sentence.content - self.denied - (self.open - other.open)
        if negation.heads == 1:
            affirmed -= _title(self.sentence)
        if negation.heads > 1 and negation.scope[:1] and negation.scope[0] not in affirmed:
            return False
        return bool(heads & affirmed)


def polarity_flips(answer: Parsed, reference: Parsed, question: Parsed | None) -> Iterator[Difference]:
    """Where one says yes and the other no; by what was asked, where only one of them says so."""
    mine, theirs = _short_answer(answer), _short_answer(reference)
    if mine and theirs:
        if mine.sign != theirs.sign:
            yield _changed(answer, mine, reference, theirs)
        return
    for one, other, text in ((mine, theirs, reference), (theirs, mine, answer)):
        if one is not None and other is None and (opposing := _opposing_answer(one, text, question)):
            yield _changed(answer, mine or opposing, reference, theirs or opposing)


def negation_flips(beside: SentenceBeside) -> Iterator[Difference]:
    """The negations that the answer adds, and those that it drops."""
    mine = _NegatedSentence.of(beside.answer, beside.sentence)
    theirs = [_NegatedSentence.of(other.parsed, other.sentence) for other in beside.near]
    yield from _added(beside, mine, theirs)
    yield from _dropped(beside, mine, theirs)


def _short_answer(text: Parsed) -> _ShortAnswer | None:
    """How a text answers; None where its first words do not say it."""
    if not text.sentences:
        return None
    sentence = text.sentences[0]
    words = sentence.words
    at = 0
    while at < min(_LEAD, len(words) - 1) and words[at].text in _group("before-answer"):
        at += 1
    if at >= len(words):
        return None
    word, rest = words[at], words[at + 1 :]
    following = rest[0].text if rest else ""
    closed = _is_closed(text.text, words, at)
    if word.text in _group("yes") and (closed or word.text in _SURE):
        return _ShortAnswer(1, word.start, word.end, rest)
    if word.text in _group("no") and (
        closed or word.text in _SURE or following in (_PRONOUNS - {"one"}) | {"not"}
    ):
        return _ShortAnswer(-1, word.start, word.end, rest)
    if word.text in ("none", "neither") and closed:
        return _ShortAnswer(-1, word.start, word.end, rest)
    if word.text == "not" and len(words) <= 2 * _LEAD:
        denials = negations(text.text, sentence)
        plain = bool(denials) and denials[0].start == word.start and not denials[0].restricted
        return _ShortAnswer(-1, word.start, word.end, rest) if plain else None
    return _bare_clause(text.text, words, at)


def _bare_clause(text: str, words: tuple[Word, ...], at: int) -> _ShortAnswer | None:
    """`You can.`, `It is not, …`: a verb without content after a pronoun, and nothing after it."""
    if at + 1 >= len(words) or words[at].text not in _PRONOUNS:
        return None
    verb = at + 1
    if words[verb].text.removesuffix("n't") not in _auxiliaries() and words[verb].text != "cannot":
        return None
    denied = words[verb].text.endswith(("n't", "cannot"))
    if verb + 1 < len(words) and words[verb + 1].text in ("not", "n't"):
        verb, denied = verb + 1, True
    if not _is_closed(text, words, verb):
        return None
    return _ShortAnswer(-1 if denied else 1, words[at].start, words[verb].end, words[verb + 1 :])


def _is_closed(text: str, words: tuple[Word, ...], at: int) -> bool:
    """Whether a mark, or nothing, follows a word."""
    if at + 1 == len(words):
        return True
    return not _MARKS.isdisjoint(text[words[at].end : words[at + 1].start])


def _opposing_answer(
    short_answer: _ShortAnswer, text: Parsed, question: Parsed | None
) -> _ShortAnswer | None:
    """Where a text without yes or no says the opposite of a text with it."""
    if not text.sentences:
        return None
    if (counterpart := _same_verb(short_answer, text, text.sentences[0])) is not None:
        return counterpart if counterpart.sign != short_answer.sign else None
    if question is None or short_answer.sign < 0 or not question.sentences:
        return None
    question_content = question.sentences[-1].content
    for piece in text.sentences:
        quiet = denied_around(text.text, piece) or denied_around(question.text, question.sentences[-1])
        for negation in negations(text.text, piece):
            heads = set(negation.scope[: negation.heads])
            plain = negation.heads == 1 and not (negation.restricted or negation.antecedent)
            if (
                plain
                and heads & question_content
                and 2 * len(piece.content & question_content) >= len(question_content)
                and not quiet
            ):
                return _ShortAnswer(-1, negation.start, negation.end, ())
    return None


def _same_verb(short_answer: _ShortAnswer, text: Parsed, sentence: Sentence) -> _ShortAnswer | None:
    """How a sentence such as `You can return it` stands to `No, you cannot.`, which says no more."""
    rest = [word.text for word in short_answer.rest if word.text not in ("not", "n't")]
    if len(rest) != 2 or rest[0] not in _PRONOUNS:
        return None
    expected_verb, words = _affirmed(rest[1]), sentence.words
    if len(words) < 2 or words[0].text not in _PRONOUNS or expected_verb not in _auxiliaries():
        return None
    verb = _affirmed(words[1].text)
    if verb != expected_verb and not {verb, expected_verb} <= _GRANTS:
        return None
    denied = words[1].text.endswith(("n't", "cannot")) or (
        len(words) > 2 and words[2].text in ("not", "n't", "never")
    )
    if denied and any(negation.restricted for negation in negations(text.text, sentence)):
        return None
    return _ShortAnswer(-1 if denied else 1, words[0].start, words[1].end, ())


def _affirmed(verb: str) -> str:
    """A verb without its negation."""
    return "can" if verb in ("cannot", "can't") else verb.removesuffix("n't")


def _changed(answer: Parsed, mine: _ShortAnswer, reference: Parsed, theirs: _ShortAnswer) -> Difference:
    here, there = (mine.start, mine.end), (theirs.start, theirs.end)
    note = f"`{answer.text[slice(*here)]}` instead of `{reference.text[slice(*there)]}`"
    return Difference("negation", "changed", note, here, there, 0)


def _added(
    beside: SentenceBeside, mine: _NegatedSentence, theirs: Sequence[_NegatedSentence]
) -> Iterator[Difference]:
    """The answer negates what the nearest sentence affirms, and no near sentence negates it too."""
    best, supported = theirs[0], {word for side in theirs for word in side.denied}
    quiet = {word for side in theirs for word in side.quiet}
    for negation in mine.found:
        if negation.restricted or supported & set(negation.scope):
            continue
        if there := _affirmed_place(negation, best):
            yield beside.changed("negation", (negation.start, negation.end), beside.near[0], there)
            continue
        if quiet & set(negation.scope[: negation.heads]) or abstains(mine.sentence, negation, best.sentence):
            continue
        if best.affirms(negation, mine):
            there = _place(negation.scope[: negation.heads], best.sentence)
            yield beside.changed("negation", (negation.start, negation.end), beside.near[0], there)


def _dropped(
    beside: SentenceBeside, mine: _NegatedSentence, theirs: Sequence[_NegatedSentence]
) -> Iterator[Difference]:
    """The answer affirms what the nearest sentence negates, and no near sentence affirms it too."""
    best = beside.near[0]
    for negation in theirs[0].found:
        taken_back = negation.exception and any(other.restricted for other in mine.found)
        if (
            negation.restricted
            or taken_back
            or mine.quiet & set(negation.scope)
            or not mine.affirms(negation, theirs[0])
        ):
            continue
        claimed = best.framed or _claims(mine.sentence, best.sentence, negation)
        if claimed and not any(side.affirms(negation, theirs[0]) for side in theirs[1:]):
            here = _place(negation.scope[: negation.heads], mine.sentence)
            yield beside.changed("negation", here, best, (negation.start, negation.end))


def _affirmed_place(negation: Negation, other: _NegatedSentence) -> tuple[int, int] | None:
    """Where the other side wants or lists the thing of which it is said that it is not needed or there."""
    thing = [word for word in negation.subject[:2] if word in other.sentence.content]
    if not negation.scope or negation.scope[0] not in _existing() or set(thing) & other.quiet:
        return None
    other_words = other.sentence.words_alone
    listed = _VERBS.isdisjoint(other_words)
    if not thing or not (listed or any(word in _group("wanting") for word in other_words)):
        return None
    return _place(thing, other.sentence)


def _claims(sentence: Sentence, other: Sentence, negation: Negation) -> bool:
    """Whether a sentence says something of what the other negates, and is no mere fragment of it."""
    if sentence.content & other.content - set(negation.scope):
        return True
    sentence_words = sentence.words_alone
    return sentence_words[0] not in ("if", "whether", "that") and any(
        word in _VERBS for word in sentence_words
    )


def _title(sentence: Sentence) -> frozenset[str]:
    """The first word where it is a thing: `Returns: …`, `Returns are free` do not say that one returns."""
    words = sentence.words
    if len(words) < 2 or not words[0].text.endswith("s"):
        return frozenset()
    again = {stem(word.text) for word in words[1:]}
    titled = words[1].start - words[0].end > 1 or words[1].text in _group("auxiliary")
    return frozenset((stem(words[0].text),)) - again if titled else frozenset()


def _place(heads: Sequence[str], sentence: Sentence) -> tuple[int, int]:
    """Where a sentence has the word that the negation governs."""
    word = next(word for word in sentence.words if stem(word.text) in heads)
    return word.start, word.end


@cache
def _auxiliaries() -> frozenset[str]:
    return frozenset(word for word in _group("auxiliary") if "'" not in word) | {"ca", "wo"}


@cache
def _existing() -> frozenset[str]:
    """The stems that say that something is needed or there."""
    return frozenset(stem(word) for word in _group("existing"))


def _group(name: str) -> frozenset[str]:
    return read_groups("cues.txt", __package__)[name]
