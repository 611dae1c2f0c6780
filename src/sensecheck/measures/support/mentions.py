"""Whether the passages do say what a claim says that they do not."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sensecheck.measures.claims.abstention import open_places
from sensecheck.measures.claims.grammar import spelled_lines
from sensecheck.measures.support.source import Sentence, Source
from sensecheck.text.wordlists import read_words
from sensecheck.text.words import Word, is_stop_word, stem, words

Asked = Literal["amount", "time", "name", "who", "other", "nothing"]
_ASKS = re.compile(
    r"\b(?:(?P<amount>how\s(?:much|many|long|old|far|often|big|tall|large|high|deep|wide|fast|late|early))"
    r"|(?P<time>when|since\swhen|in\swhich\syear|what\s(?:year|date|day|time))"
    r"|(?P<name>(?:name|identify)(?!\s+of\b))"
    r"|(?P<who>who|whom|where)|(?P<other>whether|if|why|what|which|whose|how))\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|without|unknown|unclear)\b|n['’]t\b", re.IGNORECASE
)
_ONE_OF_THEM = re.compile(r"\b(?:passage|document|source|text|article)\s(?:\d|one|two|three)", re.IGNORECASE)
_ALL_OF_THEM = re.compile(
    r"\b(?:passages|documents|sources|texts|articles|context|information|excerpts|extracts|materials?|i|we)\b"
    r"|\bnot\s+(?:\w+\s)?(?:stated|mentioned|said|specified)|\bno\s(?:mention|information)|\bnothing\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_TIME = re.compile(
    r"\d|\b(?:january|february|march|april|june|july|august|september|october|november|december|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|today|tomorrow|noon|midnight)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<=[a-z,;:] )[A-Z]\w+|\d")
_ANSWERS: dict[str, re.Pattern[str]] = {"amount": _FIGURE, "time": _TIME, "name": _NAMED, "who": _NAMED}
"""What a sentence must have to answer what is asked."""
ENOUGH = 2
"""So many words of what is missing must stand in one sentence; a name or a number is enough alone."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that has all that a claim says to be missing."""

    sentence: Sentence
    sure: bool
    """Whether it says it; where it may only speak of the same things, that stays open."""


def mention_of(claim: str, open_part: tuple[int, int], source: Source) -> Mention | None:
    """Where the passages speak of what the open part of a claim says to be missing; None where nowhere."""
    said = claim[slice(*open_part)]
    missing = _missing(said)
    if not missing:
        return None
    stems = {stem(word.text) for word in missing}
    found = [sentence for sentence in source.sentences if stems <= sentence.stems]
    if not found:
        return None
    asked = _asked(said)
    for sentence in found:
        if _says(asked, missing, (said, sentence)) and (len(source.passages) == 1 or _is_of_all(said)):
            return Mention(sentence, sure=True)
    if asked in ("amount", "time", "name") or (asked == "other" and len(stems) < ENOUGH):
        return None
    return Mention(found[0], sure=False)


def _missing(said: str) -> list[Word]:
    """The words that name what is missing, without those that say that it is."""
    telling = list(open_places(said))
    found = [word for word in words(said) if not is_stop_word(word.text) and word.text not in _vague()]
    return [
        word
        for word in found
        if word.text not in _telling() or not any(start <= word.start < end for start, end in telling)
    ]


def _asked(said: str) -> Asked:
    """What is said to be missing: how much, when, who or where, something else, or nothing of the kind."""
    match = _ASKS.search(said)
    return "nothing" if match is None or match.lastgroup is None else match.lastgroup  # type: ignore[return-value]


def _says(asked: Asked, missing: Sequence[Word], texts: tuple[str, Sentence]) -> bool:
    """Whether a sentence that has these words answers what was asked."""
    said, sentence = texts
    if _NOT.search(sentence.text):
        return False
    own = {word.text for word in missing}
    rest = " ".join(
        sentence.text[word.start : word.end] if word.text not in own else word.text
        for word in words(sentence.text)
    )
    if asked in _ANSWERS:
        return _ANSWERS[asked].search(rest) is not None
    if asked == "other":
        return False
    named = any(said[word.start].isupper() or word.text[0].isdigit() for word in missing if word.start)
    return len({stem(word.text) for word in missing}) >= ENOUGH or named


def _is_of_all(said: str) -> bool:
    """Whether it speaks of all passages, rather than of one among several."""
    return _ALL_OF_THEM.search(said) is not None and _ONE_OF_THEM.search(said) is None


@cache
def _telling() -> frozenset[str]:
    """The words with which people say that something is missing."""
    phrases = (re.findall(r"[^\W_][\w'-]*", line.lower()) for line in spelled_lines("abstention.txt"))
    return frozenset(word for line in phrases for word in line)


@cache
def _vague() -> frozenset[str]:
    """Words that name nothing that could be looked for."""
    return frozenset((*read_words("about.txt", __package__), *read_words("missing.txt", __package__)))
