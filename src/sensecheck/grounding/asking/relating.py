"""Of the sections of a page, those that answer: by a line of its own, for some are near any question."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from sensecheck.core.cutoff import Cutoff

_FILE = "relating.json"
Place = tuple[int, int]
Answers = Sequence[tuple[Place, float]]
"""Sentences of a section, each with how surely it answers, as `answers_in` tells them."""


def best_of(found: Answers) -> tuple[Place, float] | None:
    """The sentence that answers best; None where none does."""
    return max(found, key=lambda one: one[1], default=None)


def answering(sections: Sequence[Answers], line: Cutoff) -> list[tuple[int, Place]]:
    """Which sections answer, the surest first, each with its best sentence; as sure ones stay in order."""
    best = [(at, best_of(found)) for at, found in enumerate(sections)]
    sure = [(at, *one) for at, one in best if one is not None and line.side(one[1]) == "pass"]
    return [(at, place) for at, place, _ in sorted(sure, key=lambda one: -one[2])]


@cache
def related() -> Cutoff:
    """How surely a section must answer, as `benchmarks/quality/related.py` fitted it."""
    data = json.loads(files(__package__).joinpath(_FILE).read_text(encoding="utf-8"))
    return Cutoff.from_data(data["cutoff"])
