"""The marks before list items: bullets, and numbers or letters that count."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_BULLET = re.compile(r"[-*+•–]\s+(?:\[[ xX]\]\s+)?")
_COUNTED = re.compile(r"\(?(?:(?P<number>\d{1,3})|(?P<letter>[A-Za-z]))[.)]\s+")


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers and letters that stand before the blocks of a text."""

    used: frozenset[tuple[str, int]]

    @classmethod
    def of(cls, starts: Iterable[str]) -> "Numbering":
        """Those of the blocks that start so."""
        matches = (_COUNTED.match(start) for start in starts)
        return cls(frozenset(_value(match) for match in matches if match))

    def counts(self, match: re.Match[str]) -> bool:
        """Whether the one before or after it is used too: `A. Smith` alone is no list item, nor is `42.`"""
        kind, value = _value(match)
        return (kind, value - 1) in self.used or (kind, value + 1) in self.used


def bullet_end(text: str, at: int, numbering: Numbering) -> int:
    """Where the mark of a list item ends that starts at `at`; `at` itself where none does."""
    bullet = _BULLET.match(text, at)
    if bullet:
        return bullet.end()
    counted = _COUNTED.match(text, at)
    return counted.end() if counted and numbering.counts(counted) else at


def _value(match: re.Match[str]) -> tuple[str, int]:
    if match["number"]:
        return "number", int(match["number"])
    return "letter", ord(match["letter"].lower())
