"""Has a measure seen the very answers that its line is fitted on? Then the line looks better than it is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from sensecheck.core.canonical import squeezed
from sensecheck.core.described import measure_to_data
from sensecheck.core.protocols import Measure

_ANSWERS = ("exemplars", "clusters", "expected")
"""The fields of our measures that hold answers, however short."""
_FEWEST_WORDS = 3
"""Of a text in any other field: `pass` is the name of a class, and no answer that was seen."""


@runtime_checkable
class Learned(Protocol):
    """A measure that was trained on texts, and remembers which."""

    def was_trained_on(self, text: str) -> bool:
        """Whether this text was among them."""
        ...


@dataclass(slots=True)
class Leaks:
    """Counts the answers that a measure already knows."""

    measure: Measure
    answers: int = 0
    exemplars: int = 0
    """Answers that stand in the description of the measure, as one of its exemplars does."""
    trained: int = 0
    """Answers that the measure was trained on."""
    _known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        described = measure_to_data(self.measure)
        self._known = frozenset(map(squeezed, _texts({**described, "kind": None})))

    def see(self, answer: str) -> None:
        """Count one answer of the data."""
        self.answers += 1
        self.exemplars += squeezed(answer) in self._known
        self.trained += isinstance(self.measure, Learned) and self.measure.was_trained_on(answer)

    def warnings(self) -> list[str]:
        """What a reader of the card should know; nothing, where nothing has leaked."""
        found = ((self.exemplars, "stand in the measure itself"), (self.trained, "are in its training data"))
        return [
            f"answers that {how}: {count} of {self.answers}; on such answers a measure is better than on "
            "new ones, and the promise may not hold"
            for count, how in found
            if count
        ]


def _texts(data: Any, *, all_of_them: bool = False) -> Iterator[str]:
    """What may be an answer in some data, at any depth: a short text elsewhere is a name or a choice."""
    if isinstance(data, str):
        if all_of_them or len(data.split()) >= _FEWEST_WORDS:
            yield data
    elif isinstance(data, Mapping):
        for key, item in data.items():
            yield from _texts(item, all_of_them=all_of_them or key in _ANSWERS)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _texts(item, all_of_them=all_of_them)
