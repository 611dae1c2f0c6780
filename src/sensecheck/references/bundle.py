"""The references of all items, ready for a prompt.

Each is a header, then a text that cannot pass for another header.
"""

import math
import unicodedata
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from numbers import Real
from typing import Any, Generic, Self, TypeVar, get_args

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.retrieval.match import Match, closeness_from
from sensecheck.retrieval.prompt import Empty, between_tags, escaped, is_seen
from sensecheck.retrieval.selection import Selection

_WHO = "participant_id"

_BRACKETS = "(\u2768\u276a\u27ee\u2985\u2e28\ufd3e\ufd3f"
"""What opens a header, and what looks like it without being a form of it."""

Item = TypeVar("Item", bound=Hashable)
_TAG = "Reference Examples"
_NO_EVIDENCE = "No valid evidence found"


@dataclass(frozen=True, slots=True)
class TranscriptChunk:
    """A text, who said it, and what else is known of it."""

    text: str
    participant_id: int | str | None = None
    source: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise SampleError(f"`text` must be a string; got {type(self.text).__name__}")


@dataclass(frozen=True, slots=True)
class SimilarityMatch:
    """A chunk with its similarity: a cosine, from -1 to 1, which a `Match` calls `closeness`."""

    chunk: TranscriptChunk
    similarity: float
    reference_score: float | None = None
    """What someone gave this reference."""
    encoder: str | None = None
    """The fingerprint of the encoder whose cosine it is; None if unknown."""

    def __post_init__(self) -> None:
        _require_number("similarity", self.similarity)
        if self.reference_score is not None:
            _require_number("reference_score", self.reference_score)
        closeness_from(self.similarity, "cosine")

    @classmethod
    def from_match(cls, match: Match) -> Self:
        """A match under these names; its vector is left behind."""
        others = {key: value for key, value in match.metadata.items() if key != _WHO}
        chunk = TranscriptChunk(match.text, match.metadata.get(_WHO), match.source, others)
        return cls(chunk, match.closeness, match.reference_score, match.encoder)

    def to_match(self) -> Match:
        """The same under our names; the participant stands in the metadata."""
        chunk = self.chunk
        who = {} if chunk.participant_id is None else {_WHO: chunk.participant_id}
        closeness = float(closeness_from(self.similarity, "cosine"))
        return Match(
            chunk.text, closeness, chunk.source, {**chunk.metadata, **who}, self.reference_score, self.encoder
        )


@dataclass(frozen=True, slots=True)
class ReferenceBundle(Generic[Item]):
    """By item, the references that may enter the prompt, the most similar first."""

    item_references: Mapping[Item, list[SimilarityMatch]]
    selections: Mapping[Item, Selection] = field(default_factory=dict, repr=False)
    """By item, what was kept, what was dropped and why, and what the budget spent."""

    def format_for_prompt(self, *, empty: Empty = "say") -> str:
        """The block as it goes into the prompt; where there is no reference, it says so, or is omitted."""
        if empty not in get_args(Empty):
            raise SpecError(did_you_mean("value of `empty`", empty, get_args(Empty)))
        entries = [
            _entry_of(item, match) for item, matches in self.item_references.items() for match in matches
        ]
        return between_tags(_TAG, entries, empty=empty, said=_NO_EVIDENCE)


def _require_number(name: str, value: object) -> None:
    """NumPy's numbers are numbers too."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise SampleError(f"`{name}` must be a finite number; got {value!r:.20}")


def _entry_of(item: Hashable, match: SimilarityMatch) -> str:
    """One reference: the item and its score in round brackets, and the text below.

    No line but the header begins with a round bracket, and none is blank: so a text can neither begin an
    entry nor end its own.
    """
    score = match.reference_score
    score_text = "no score" if score is None else f"score {score:.10g}"
    return "\n".join((f"({_label(item)}, {score_text})", *_lines(escaped(match.chunk.text))))


def _label(item: Hashable) -> str:
    name = str(item.value if isinstance(item, Enum) else item)
    return " ".join(escaped(name).split())


def _lines(text: str) -> list[str]:
    """The lines of an escaped text that have a visible character."""
    return [
        _with_escaped_bracket(line, index)
        for line in text.splitlines()
        if (index := _first_seen(line)) is not None
    ]


def _with_escaped_bracket(line: str, index: int) -> str:
    """The line with an opening bracket as an entity, also the one inside a sign such as ⑴."""
    plain = unicodedata.normalize("NFKC", line[index])
    return f"{line[:index]}&#40;{plain[1:]}{line[index + 1 :]}" if plain[0] in _BRACKETS else line


def _first_seen(line: str) -> int | None:
    return next((index for index, char in enumerate(line) if is_seen(char)), None)
