"""The words of a verdict: `PASS`, `not a pass`, `the answer is clearly incorrect`, `Response B`, `A>B`."""

import re
from dataclasses import dataclass

from sensecheck.measures.verdicts.endings import ends
from sensecheck.measures.verdicts.topics import Topic
from sensecheck.measures.verdicts.words import (
    BOTH,
    CONTESTANTS,
    COUNTED,
    EVEN,
    FILLERS,
    FULLY,
    NAMED,
    NEGATIONS,
    TO_NEGATE,
    TRUTHS,
    WORDS,
)

_TOKEN = re.compile(r"[\s*_`\"“’'(\[]*(?P<word>[A-Za-z]+(?:['’]?[A-Za-z]+)*|\d\b)")
_TO = re.compile(r"\s+to\b")
_SECOND = re.compile(r"\s+(?P<word>\w+)")
_DUEL = re.compile(r"(?P<left>[ab])\s*(?P<sign>>{1,3}|<{1,3}|=|≈|~)\s*(?P<right>[ab])\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict from 0 (fail) to 1 (pass), and where it stands."""

    value: float
    start: int
    end: int


def phrase_at(text: str, at: int, topic: Topic) -> Said | None:
    """The word of a verdict, after words that may stand before it; a negation turns it round."""
    before: list[str] = []
    start, negated = -1, False
    while token := _TOKEN.match(text, at):
        word, at = re.sub("['’]", "", token["word"].lower()), token.end()
        to = _TO.match(text, at)
        value = _value(text, word, at, topic, before)
        if word in NEGATIONS or (word in TO_NEGATE and to):
            start, negated, at = token.start("word"), not negated, to.end() if to else at
        elif value is not None:
            return _said(
                text, (start if negated else token.start("word"), at), value, before, negated=negated
            )
        elif word not in FILLERS and word not in FULLY:
            return None
        before.append(word)
    return None


def duel_at(text: str, at: int, topic: Topic) -> Said | None:
    """`A>B`, `B>>A`, `A=B`."""
    match = _DUEL.match(text, at) if topic.letters else None
    if match is None or match["left"].lower() == match["right"].lower():
        return None
    if match["sign"] in "=≈~":
        return Said(EVEN, match.start(), match.end())
    winner = match["left"] if match["sign"][0] == ">" else match["right"]
    return Said(CONTESTANTS[winner.lower()], match.start(), match.end())


def _value(text: str, word: str, end: int, topic: Topic, before: list[str]) -> float | None:
    """What a word says; `a` may be an article, so that a choice must end there."""
    choice = _choice(word, topic, named=not NAMED.isdisjoint(before))
    if choice is not None and ends(text, end):
        return choice
    if topic.truths:
        truth = TRUTHS.get(word)
        return 1 - truth if topic.inverted and truth is not None else truth
    value = WORDS.get(word)
    return value if topic.words or value == EVEN else None


def _choice(word: str, topic: Topic, *, named: bool) -> float | None:
    if not topic.letters:
        return None
    if topic.numbers == "choice" and word in BOTH:
        return EVEN
    counted = COUNTED.get(word) if named or topic.numbers == "choice" else None
    return CONTESTANTS.get(word, counted)


def _said(
    text: str, place: tuple[int, int], value: float, before: list[str], *, negated: bool
) -> Said | None:
    start, end = place
    if value == EVEN:
        second = _SECOND.match(text, end)  # `partially correct`, `equally good`
        end = second.end() if second and second["word"].lower() in {*WORDS, "good"} else end
        return None if negated else Said(value, start, end)
    if negated and not FULLY.isdisjoint(before):  # `not fully correct` is neither
        return None
    return Said(1 - value if negated else value, start, end)
