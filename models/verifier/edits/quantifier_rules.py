"""Words that can be exchanged for others of another meaning, read from a list of rules."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from models.verifier.edits.number_replaced import Replacement

from sensecheck.text.wordlists import read_lines

_PLACE = "x"
"""The named group of a pattern that is replaced; the whole match when there is none."""


class Rule(NamedTuple):
    """What is looked for, and what may stand there instead."""

    pattern: re.Pattern[str]
    others: tuple[str, ...]


def exchanges(name: str, claim: str) -> Iterator[list[Replacement]]:
    """For each place where a rule of the list applies, the ways to replace it."""
    for rule in _rules(name):
        for match in rule.pattern.finditer(claim):
            start, end = match.span(_PLACE if _PLACE in rule.pattern.groupindex else 0)
            old = claim[start:end].rstrip().lower()
            end = start + len(old)
            if found := [(start, end, other) for other in rule.others if other != old]:
                yield found


@cache
def _rules(name: str) -> tuple[Rule, ...]:
    """The rules of a list: lines such as `always => never | rarely`, with a pattern on the left."""
    return tuple(_rule(line) for line in read_lines(name, __package__))


def _rule(line: str) -> Rule:
    pattern, _, others = line.partition(" => ")
    return Rule(
        re.compile(rf"(?<![\w-])(?:{pattern})(?:(?<=\s)|(?![\w-]))", re.IGNORECASE),
        tuple(other.strip() for other in others.split("|")),
    )
