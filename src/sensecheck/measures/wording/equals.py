"""Whether the answer is exactly what was wanted: the same text, or JSON that holds the same."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.wording.shown import agreeing, quoted

AROUND = 30
"""How much of both texts is shown from the first place on where they differ."""


@dataclass(frozen=True, slots=True)
class Equals:
    """1 when the answer is this text, or JSON for this value where it is something else; else 0."""

    wanted: Any
    """In JSON, the order of keys and the way a number is written make no difference."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "equals"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0; the evidence shows the first place where the texts differ."""
        if not isinstance(self.wanted, str):
            return self._json(sample.answer)
        if sample.answer == self.wanted:
            return Reading(1.0, "the answer is exactly what was wanted")
        first = agreeing(sample.answer, self.wanted)
        here = Span.of("answer", sample.answer, first, min(first + AROUND, len(sample.answer)))
        there = Span.of("wanted", self.wanted, first, min(first + AROUND, len(self.wanted)))
        because = (
            f"the answer differs from character {first + 1} on: "
            f"{quoted(here.text)}, wanted {quoted(there.text)}"
        )
        return Reading(0.0, because, (Evidence("differs", here, there),))

    def _json(self, answer: str) -> Reading:
        try:
            found = json.loads(answer)
        except (ValueError, RecursionError):
            return Reading(0.0, "the answer is not JSON")
        if same_json(found, self.wanted):
            return Reading(1.0, "the answer is JSON for the wanted value")
        wanted = json.dumps(self.wanted, ensure_ascii=False)
        return Reading(0.0, f"the answer is JSON for another value; wanted {quoted(wanted)}")


def same_json(one: Any, other: Any) -> bool:
    """Whether two values of JSON are the same; to Python, `true` and 1 are."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same_json, one, other))
    return bool(one == other)
