"""What a user's function may say of an answer: true or false, a number, or a mapping of both."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from sensecheck.core.errors import CannotJudge

_WANTED = "wanted true or false, a number, or a mapping with `pass`, `score` and `reason`"
_SPELLED = {"pass_": "pass", "named_scores": "namedScores"}


@dataclass(frozen=True, slots=True)
class Returned:
    """A function's word, and what the answer is worth to it."""

    passes: bool | None
    """None when there is only the score."""
    score: float
    reason: str


def returned(said: Any, who: str) -> Returned:
    """What was returned, read strictly; anything else is no judgement."""
    if isinstance(said, bool | np.bool_):
        return Returned(bool(said), float(said), f"{who} returned {str(bool(said)).lower()}")
    if isinstance(said, Real):
        score = _number(said, who)
        return Returned(None, score, f"{who} returned {score:g}")
    if isinstance(said, Mapping):
        return _mapping({_SPELLED.get(str(key), str(key)): value for key, value in said.items()}, who)
    forgot = "; several lines want a `return`" if said is None else ""
    raise CannotJudge(f"{who} returned {type(said).__name__}; {_WANTED}{forgot}")


def _mapping(said: Mapping[str, Any], who: str) -> Returned:
    if said.get("namedScores"):
        raise CannotJudge(
            f"{who} returned `namedScores`, which is not supported; give the assertion a `metric`"
        )
    passes, score, reason = said.get("pass"), said.get("score"), said.get("reason")
    if not isinstance(passes, bool | np.bool_):
        raise CannotJudge(f"{who} returned a mapping whose `pass` is {type(passes).__name__}; {_WANTED}")
    worth = float(passes) if score is None else score
    if not isinstance(worth, Real) or not isinstance(reason, str | None):
        raise CannotJudge(f"{who} returned a mapping whose `score` or `reason` is something else; {_WANTED}")
    said_so = f"{who} returned {str(bool(passes)).lower()}"
    return Returned(bool(passes), _number(worth, who), reason or said_so)


def _number(said: Real, who: str) -> float:
    try:
        return float(said)
    except OverflowError as large:
        raise CannotJudge(f"{who} returned a number that is too large to be a score") from large
