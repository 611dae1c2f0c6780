"""Scores on a scale (`4/5`, `80%`), and what a key or a label announces: a verdict, a score, a winner."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Scale = tuple[float, float]
"""The lowest and the highest score."""
Numbers = Literal["none", "flag", "score", "verdict", "choice"]

_AMOUNT = r"\d{1,9}(?:[.,]\d{1,20})?(?:[eE][+-]?\d{1,3})?"
_SCORE = re.compile(
    rf"""(?P<number>{_AMOUNT})(?!\d)
    (?: (?P<percent>\s*%)
      | \s*\(?(?:/|(?:out\s+)?of\b)\s*(?P<most>{_AMOUNT})(?!\d)
      | [\s,]*\(?on\s+(?:a|the)\s+scale\s+(?:of|from)\s+(?P<low>{_AMOUNT})\s*(?:-|–|to)\s*(?P<high>{_AMOUNT})
    )?
    \)?(?:\s*(?:stars?|points?|pts)\b)?""",
    re.VERBOSE | re.IGNORECASE,
)
_STARS = re.compile("(?P<full>[★⭐]{1,10})(?P<hollow>☆{0,9})")
_MORE = re.compile(r"\s*(?:[-–—~,/|+]|to\b|or\b)\s*\d")
"""What makes a range or a list of choices of it: `1-5`, `1, 2, 3`."""
_FINAL = re.compile("(?:the|my|your)?(?:final|overall)(?=.)")
_APART = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Score:
    """A score from 0 to 1, and where it ends."""

    value: float
    end: int
    bare: float | None = None
    """The number as written, if it says nothing of its scale."""


def score_at(text: str, at: int, scale: Scale) -> Score | None:
    """The score that stands at a place; None when it is not on its scale, or one of a range."""
    if stars := _STARS.match(text, at):
        full, number = len(stars["full"]), len(stars[0])
        value = _of_most(full, number, scale) if stars["hollow"] else _on_scale(full, scale)
        return None if value is None else Score(value, stars.end())
    match = _SCORE.match(text, at)
    if match is None or _MORE.match(text, match.end()) or text[at - 1 : at] in ("-", "−", "."):
        return None
    value = _score_value(match, scale)
    if value is None:
        return None
    explicit = match["percent"] or match["most"] or match["low"]
    return Score(value, match.end(), None if explicit else _number(match["number"]))


@dataclass(frozen=True, slots=True)
class Topic:
    """What may be said where it is announced."""

    rank: int
    """A topic with a lower rank is believed first: a verdict before a score, and both before an answer."""
    words: bool = True
    letters: bool = False
    """Whether A and B are choices between two."""
    numbers: Numbers = "none"
    """What a bare number is: nothing, 1 or 0 for yes or no, a score, a score unless it is 1 or 0 (`verdict`),
    or 1 or 2 for the first or second of two (`choice`)."""
    truths: bool = False
    """Whether the only words are yes and no, true and false."""
    inverted: bool = False
    """Whether `yes` is a fail, as in `failed: yes`."""
    whole: bool = False
    """Whether nothing may follow."""


VERDICT = Topic(0, letters=True, numbers="verdict")
RESULT = Topic(0, letters=True, numbers="score")
FLAG = Topic(0, numbers="flag")
FAILURE = Topic(0, numbers="flag", truths=True, inverted=True)
CHOICE = Topic(0, words=False, letters=True, numbers="choice")
SCORE = Topic(1, numbers="score")
ANSWER = Topic(2, letters=True, whole=True)

_NAMES: Mapping[Topic, str] = {
    VERDICT: "verdict decision judgement judgment ruling outcome evaluation assessment conclusion status",
    RESULT: "result overall",
    FLAG: "pass passed passes passfail ispass ispassed correct iscorrect accepted acceptable approved",
    FAILURE: "fail failed isfail isfailed incorrect isincorrect",
    CHOICE: "winner preference preferred better best preferredresponse betterresponse betteranswer",
    SCORE: "score rating grade",
    ANSWER: "answer label",
}
_TOPICS: Mapping[str, Topic] = {name: topic for topic, names in _NAMES.items() for name in names.split()}


def topic_of(name: str) -> tuple[Topic, bool] | None:
    """The topic that a key names, and whether it is called final; `isCorrect` and `is_correct` are one."""
    squashed = _APART.sub("", name).lower()
    final = _FINAL.match(squashed)
    topic = _TOPICS.get(squashed[final.end() :] if final else squashed)
    return (topic, final is not None) if topic else None


def _score_value(match: re.Match[str], scale: Scale) -> float | None:
    number = _number(match["number"])
    if match["percent"]:
        return _on_scale(number, (0.0, 100.0))
    if match["low"]:
        return _on_scale(number, (_number(match["low"]), _number(match["high"])))
    return _of_most(number, _number(match["most"]), scale) if match["most"] else _on_scale(number, scale)


def _on_scale(score: float, scale: Scale) -> float | None:
    """Where a score is between the lowest, 0, and the highest, 1; None for one that is not on the scale."""
    low, high = scale
    return (score - low) / (high - low) if low < high and low <= score <= high else None


def _of_most(score: float, most: float, scale: Scale) -> float | None:
    """A score of its highest: `7/10` is on 1 to 10 where scores begin at 1, else, as `0/10`, on 0 to 10."""
    low = scale[0] if most == scale[1] else 1.0 if scale[0] == 1 else 0.0
    return _on_scale(score, (low if low <= score and low < most else 0.0, most))


def _number(text: str) -> float:
    return float(text.replace(",", "."))
