"""What a head looks at, what it tells apart, and whose answers it learned from."""

from dataclasses import dataclass

from sensecheck.core.errors import SpecError
from sensecheck.measures.heads.cues import Cue
from sensecheck.measures.heads.parts import Part


@dataclass(frozen=True, slots=True)
class Source:
    """A set of labelled answers that a head was trained on, and to whom it is owed."""

    name: str
    rows: int
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a head looks at, and what it tells apart."""

    classes: tuple[str, ...]
    parts: tuple[Part, ...]
    cues: tuple[Cue, ...] = ()
    cue_weight: float = 0.5
    """How much a cue that is there counts, where a vector has length 1."""
    phrases: tuple[str, ...] = ()
    """Words and pairs of words in the beginning of an answer, each of which counts as much as a cue."""
    languages: tuple[str, ...] = ()
    """The languages beside English that a head of ours was trained on, by their English names."""

    def __post_init__(self) -> None:
        if len(set(self.classes)) < 2 or len(set(self.classes)) < len(self.classes):
            raise SpecError(f"`classes` wants two or more different ones; found {', '.join(self.classes)}")
        if not self.parts:
            raise SpecError("`parts` is empty; a head wants at least one part to look at")
        if len(set(self.phrases)) < len(self.phrases):
            raise SpecError("`phrases` must be different ones; got one of them twice")

    def width(self, dimension: int) -> int:
        """How many numbers one answer becomes."""
        return len(self.parts) * dimension + len(self.cues) + len(self.phrases)
