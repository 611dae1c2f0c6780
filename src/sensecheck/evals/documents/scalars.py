"""Plain words of YAML 1.2: `no` and `on` are texts, 010 is ten, and there are no dates."""

import math
import re
from collections.abc import Callable
from typing import Any, Final

TAG: Final = "tag:yaml.org,2002:"
TEXT: Final = f"{TAG}str"
MERGE: Final = f"{TAG}merge"

_NULL = re.compile(r"|~|null|Null|NULL")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_BASES: Final = ("0o", "0x")
_MOST_DIGITS: Final = 300


def tag_of(word: str) -> str:
    """The tag of a plain word that has none of its own."""
    return next((tag for tag, (pattern, _) in _KINDS.items() if pattern.fullmatch(word)), TEXT)


def value_of(word: str, tag: str) -> Any:
    """What a scalar holds; `ValueError` when it does not hold what its tag says, or the tag is unknown."""
    if tag == TEXT:
        return word
    if tag not in _KINDS:
        raise ValueError(f"the tag `{tag.replace(TAG, '!!')}` is not known")
    pattern, read = _KINDS[tag]
    if not pattern.fullmatch(word):
        raise ValueError(f"`{word}` is no {tag.removeprefix(TAG)}")
    return read(word)


def spelling_of(word: str, value: Any) -> str:
    """The word, if it is a number that would be written back otherwise; else nothing.

    Who writes `0x1F` means a number; who writes `007` or `3.10` may well mean a text.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or word.startswith(_BASES):
        return ""
    return "" if word == written(value) else word


def written(number: float) -> str:
    """A number as a text: 5 for 5.0, as JSON and promptfoo have it."""
    return str(int(number)) if isinstance(number, int) or number.is_integer() else str(number)


def _whole(word: str) -> int:
    if len(word) > _MOST_DIGITS:
        raise ValueError(f"the number has {len(word):,} digits; wanted at most {_MOST_DIGITS}, or quotes")
    return int(word, 0) if word.startswith(_BASES) else int(word)


def _decimal(word: str) -> float:
    number = math.inf if word.lstrip("-+").lower() in (".inf", ".nan") else float(word)
    if not math.isfinite(number):
        raise ValueError(f"`{word}` is no finite number; write it in quotes if it is meant as a text")
    return number


_KINDS: Final[dict[str, tuple[re.Pattern[str], Callable[[str], Any]]]] = {
    f"{TAG}null": (_NULL, lambda _: None),
    f"{TAG}bool": (_BOOL, lambda word: word.lower() == "true"),
    f"{TAG}int": (_INT, _whole),
    f"{TAG}float": (_FLOAT, _decimal),
    MERGE: (re.compile("<<"), str),
}
