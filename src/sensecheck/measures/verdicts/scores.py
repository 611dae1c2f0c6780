"""Scores on a scale: `4`, `4/5`, `7 out of 10`, `80%`, `★★★★☆`."""

import re
from dataclasses import dataclass

Scale = tuple[float, float]
"""The lowest and the highest score."""

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


@dataclass(frozen=True, slots=True)
class Score:
    """A score from 0 to 1, and where it ends."""

    value: float
    end: int
    bare: float | None = None
    """The number as written, if it says nothing of its scale."""


def score_at(text: str, at: int, scale: Scale) -> Score | None:
    """The score that stands at a place; None when it is not on its scale, or one of a range."""
    stars = _STARS.match(text, at)
    match = _SCORE.match(text, at)
    if stars:
        full, number = len(stars["full"]), len(stars[0])
        value = of_most(full, number, scale) if stars["hollow"] else on_scale(full, scale)
        return None if value is None else Score(value, stars.end())
    if match is None or _MORE.match(text, match.end()) or text[at - 1 : at] in ("-", "−", "."):
        return None
    value = _value(match, scale)
    explicit = match["percent"] or match["most"] or match["low"]
    return (
        None if value is None else Score(value, match.end(), None if explicit else _number(match["number"]))
    )


def on_scale(score: float, scale: Scale) -> float | None:
    """Where a score lies between the lowest, 0, and the highest, 1; None for one that is not on the scale."""
    low, high = scale
    return (score - low) / (high - low) if low < high and low <= score <= high else None


def of_most(score: float, most: float, scale: Scale) -> float | None:
    """A score of its highest: `7/10` lies on 1 to 10 where scores begin at 1, else, as `0/10`, on 0 to 10."""
    low = scale[0] if most == scale[1] else 1.0 if scale[0] == 1 else 0.0
    return on_scale(score, (low if low <= score and low < most else 0.0, most))


def _value(match: re.Match[str], scale: Scale) -> float | None:
    number = _number(match["number"])
    if match["percent"]:
        return on_scale(number, (0.0, 100.0))
    if match["low"]:
        return on_scale(number, (_number(match["low"]), _number(match["high"])))
    return of_most(number, _number(match["most"]), scale) if match["most"] else on_scale(number, scale)


def _number(text: str) -> float:
    return float(text.replace(",", "."))
