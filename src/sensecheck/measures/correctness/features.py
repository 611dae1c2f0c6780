"""An answer next to the expected one: everything that speaks for or against it, unweighed."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.abstention import abstention
from sensecheck.measures.facts.agreement import differences
from sensecheck.measures.facts.fact import Difference, Fact, Name
from sensecheck.measures.facts.names import fold
from sensecheck.measures.facts.references import ParsedReference, taken_apart
from sensecheck.measures.lexical.squad import gold_recall
from sensecheck.text.sentences import sentences
from sensecheck.text.words import Word, is_stop_word, stem

FOR = ("recall", "held", "letters", "whole", "shorter", "back", "closeness")
"""What speaks for an answer."""
AGAINST = (
    "no_number",
    "number_changed",
    "no_name",
    "name_changed",
    "new_number",
    "new_name",
    "negation",
    "opposite",
    "quantifier",
    "abstains",
)
"""What speaks against it."""
FEATURES = (*FOR, *AGAINST)

_OPENING = 3
"""Sentences in which an answer that does not know says so."""
_WE = r"\b(?:i|we)"
_UNKNOWING = re.compile(
    rf"{_WE}(?:['’]m| am|['’]re| are)(?: \w+)?"
    r" (?:not (?:sure|certain|aware|familiar|able)|unsure|unable|unaware)\b"
    rf"|{_WE} (?:do not|don['’]t|did not|didn['’]t)(?: \w+)? (?:know|have|recall|remember|find)\b"
    rf"|{_WE} (?:could not|couldn['’]t|cannot|can['’]t)(?: \w+)?"
    r" (?:find|answer|say|tell|determine|provide|verify|confirm)\b"
    rf"|{_WE} have no (?:\w+ )?(?:idea|information|knowledge|data|access|record)\b|^\W*no idea\b"
    r"|\bit is (?:unclear|unknown|uncertain|not (?:clear|known|certain))\b|^\W*unknown\W*$"
    r"|\b(?:there is|there['’]s|i found|i see) no (?:\w+ ){0,2}(?:information|data|record|evidence|answer)\b",
    re.IGNORECASE,
)
_NO_LETTER = re.compile(r"[\W_]+")
_GLUED = 4
"""Letters of the shortest word that is looked for inside others: `Blake` in `byRobert Blakein 1967`."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What was found."""

    features: dict[str, float]
    """By name, in the order of `FEATURES`; each from 0 to 1."""
    missing: tuple[Word, ...]
    """The words of the expected answer that the answer does not hold."""
    lost: tuple[Fact, ...]
    """The numbers, dates and names of the expected answer that the answer does not hold."""
    changed: tuple[Difference, ...]
    """The facts that the answer says otherwise."""
    abstains: tuple[int, int] | None
    """Where the answer says that it does not know."""


def compared(sample: Sample, expected: Sequence[str], space: Space) -> list[Compared]:
    """Holds an answer against each of the alternatives that were expected."""
    answered = _answered(sample)
    return [_compared_with(answered, each, space) for each in expected]


def unknowing(answer: str) -> tuple[int, int] | None:
    """Where an answer says at its beginning that it does not know; None where it does not say so."""
    for start, end in sentences(answer)[:_OPENING]:
        sentence = answer[start:end]
        if match := _UNKNOWING.search(sentence):
            return start + match.start(), start + match.end()
        if place := abstention(sentence):
            return start + place[0], start + place[1]
    return None


@dataclass(frozen=True, slots=True)
class _ParsedText:
    """A text taken apart."""

    reference: ParsedReference
    own: tuple[Word, ...]
    """The words of content that do not stand in the question; all of content where that leaves none."""
    forms: frozenset[str]
    """Every word, in the forms in which words match."""
    letters: str
    """All letters and digits, without accents and anything between them."""
    by_run: Mapping[str, tuple[str, ...]]
    """The different words by each run of three letters in them."""

    def says(self, word: str) -> bool:
        """Whether a word stands in the text, whatever its form, alone or glued to others."""
        if not _forms(word).isdisjoint(self.forms):
            return True
        letters = _letters_of(word)
        return len(letters) >= _GLUED and letters in self.letters

    def likeness(self, word: str) -> float:
        """How many runs of three letters a word shares with the most alike word of the text, from 0 to 1."""
        runs = _runs(word)
        shared: dict[str, int] = defaultdict(int)
        for run in runs:
            for other in self.by_run.get(run, ()):
                shared[other] += 1
        similarities = (2 * count / (len(runs) + len(_runs(other))) for other, count in shared.items())
        return max(similarities, default=0.0)

    def facts(self, *, names: bool) -> list[Fact]:
        """Its names, or its numbers and dates."""
        return [fact for fact in self.reference.parsed.facts if isinstance(fact.value, Name) == names]


@dataclass(frozen=True, slots=True)
class _Answered:
    """What is known of an answer before anything is compared with it: found once for all alternatives."""

    text: str
    side: _ParsedText
    question: ParsedReference
    asked: frozenset[str]
    """The stems of the question's words."""
    abstains: tuple[int, int] | None


def _answered(sample: Sample) -> _Answered:
    question = taken_apart(sample.question or "")
    question_stems = frozenset(stem(word.text) for word in question.parsed.words)
    return _Answered(
        sample.answer,
        _side_of(sample.answer, question_stems),
        question,
        question_stems,
        unknowing(sample.answer),
    )


def _compared_with(answered: _Answered, expected: str, space: Space) -> Compared:
    mine, theirs = answered.side, _side_of(expected, answered.asked)
    lost = [fact for fact in theirs.reference.parsed.facts if not mine.reference.holds(fact)]
    held_flags = [_is_held(word, mine, theirs, lost) for word in theirs.own]
    changed = [
        difference for difference in differences(answered.text, (expected,)) if difference.change == "changed"
    ]
    features = {
        "recall": gold_recall(answered.text, expected),
        **_by_words(mine, theirs, held_flags),
        "closeness": max(space.similarity(answered.text, expected), 0.0),
        **_by_facts(mine, theirs, lost, answered.question),
        **_by_changes(changed),
        "abstains": float(answered.abstains is not None),
    }
    return Compared(
        {name: features[name] for name in FEATURES},
        tuple(word for word, is_held in zip(theirs.own, held_flags, strict=True) if not is_held),
        tuple(lost),
        tuple(changed),
        answered.abstains,
    )


def _is_held(word: Word, mine: _ParsedText, theirs: _ParsedText, lost: Sequence[Fact]) -> bool:
    """Whether the answer says a word, or the number, date or name that it belongs to, however written."""
    if mine.says(word.text):
        return True
    facts = theirs.reference.parsed.facts
    return any(fact.start <= word.start < fact.end and fact not in lost for fact in facts)


def _by_words(mine: _ParsedText, theirs: _ParsedText, held_flags: Sequence[bool]) -> dict[str, float]:
    alike = [
        1.0 if is_held else mine.likeness(word.text)
        for word, is_held in zip(theirs.own, held_flags, strict=True)
    ]
    back = _mean([theirs.says(word.text) for word in mine.own])
    share = _mean(held_flags)
    return {
        "held": share,
        "letters": _mean(alike),
        "whole": float(bool(theirs.letters) and theirs.letters in mine.letters),
        "shorter": share if len(theirs.own) <= len(mine.own) else back,
        "back": back,
    }


def _by_facts(
    mine: _ParsedText, theirs: _ParsedText, lost: Sequence[Fact], question: ParsedReference
) -> dict[str, float]:
    features = {}
    for kind, names in (("number", False), ("name", True)):
        expected_facts = theirs.facts(names=names)
        stated_facts = [fact for fact in mine.facts(names=names) if not fact.weak]
        new = [not theirs.reference.holds(fact) and not question.holds(fact) for fact in stated_facts]
        features[f"no_{kind}"] = float(bool(expected_facts) and all(fact in lost for fact in expected_facts))
        features[f"new_{kind}"] = _mean(new)
    return features


def _by_changes(changed: Sequence[Difference]) -> dict[str, float]:
    kinds = {difference.kind for difference in changed}
    return {
        "number_changed": float(not kinds.isdisjoint(("number", "unit", "date"))),
        "name_changed": float("name" in kinds),
        "negation": float("negation" in kinds),
        "opposite": float(not kinds.isdisjoint(("opposite", "comparison"))),
        "quantifier": float("quantifier" in kinds),
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _side_of(text: str, question_stems: frozenset[str]) -> _ParsedText:
    """Takes a text apart; `asked` are the stems of the question's words."""
    reference = taken_apart(text)
    text_words = reference.parsed.words
    content = [word for word in text_words if not is_stop_word(word.text)] or text_words
    new_words = [word for word in content if stem(word.text) not in question_stems] or content
    distinct = dict.fromkeys(word.text for word in text_words)
    return _ParsedText(
        reference,
        tuple(new_words),
        frozenset(form for word in distinct for form in _forms(word)),
        _letters_of(text),
        _by_run(distinct),
    )


def _by_run(distinct: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    words_by_run: dict[str, list[str]] = defaultdict(list)
    for word in distinct:
        for run in _runs(word):
            words_by_run[run].append(word)
    return {run: tuple(words) for run, words in words_by_run.items()}


@lru_cache(maxsize=65536)
def _runs(word: str) -> frozenset[str]:
    """The runs of three letters in a word, its beginning and end marked."""
    marked = f"^{_letters_of(word)}$"
    return frozenset(marked[at : at + 3] for at in range(len(marked) - 2))


@lru_cache(maxsize=65536)
def _forms(word: str) -> frozenset[str]:
    """The forms in which a word matches another: its stem, and as a name is folded."""
    return frozenset((stem(word), fold(word)))


def _letters_of(text: str) -> str:
    """The letters and digits of a text, in small letters and without accents."""
    if not text.isascii():  # most texts are, and there is nothing to take off them
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in plain if not unicodedata.combining(char))
    return _NO_LETTER.sub("", text).lower()
