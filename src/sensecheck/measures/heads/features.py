"""An answer as the row of numbers that a head weighs, and where each of them comes from."""

from dataclasses import dataclass

import numpy as np

from sensecheck.core.errors import StaleCutoff, Unreadable
from sensecheck.core.reading import Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.heads.cues import phrases_in
from sensecheck.measures.heads.packing import Numbers
from sensecheck.measures.heads.parts import Outline
from sensecheck.measures.heads.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Features:
    """The numbers, the parts they were read from, and the cues and phrases that were found."""

    row: Numbers
    parts: tuple[Span, ...]
    cues: tuple[Span | None, ...]
    phrases: tuple[Span | None, ...]
    unread_chars: int


def part_texts(recipe: Recipe, sample: Sample) -> tuple[str, ...]:
    """The texts that must be placed before an answer can be weighed."""
    outline = Outline.of(sample.answer)
    return tuple(dict.fromkeys(outline.part(part).text for part in recipe.parts))


def features_of(recipe: Recipe, sample: Sample, space: Space) -> Features:
    """The row of an answer; a part in a script that the encoder cannot read counts as the one before it."""
    outline = Outline.of(sample.answer)
    spans = [outline.part(part) for part in recipe.parts]
    read = [span for span in spans if span.text not in space.failed]
    if not read:
        raise Unreadable(space.failed[spans[0].text])
    used = [_nearest(spans, i, read) for i in range(len(spans))]
    cues = tuple(cue.found(sample.answer, outline) for cue in recipe.cues)
    said = phrases_in(sample.answer) if recipe.phrases else {}
    phrases = tuple(map(said.get, recipe.phrases))
    counts = [recipe.cue_weight if span else 0.0 for span in (*cues, *phrases)]
    row = np.concatenate([*(space.vector(span.text) for span in used), np.asarray(counts, np.float32)])
    unread = {span for span in spans if span not in read}
    lost = sum(len(span.text) for span in unread) + space.unread(*{span.text for span in used})
    return Features(row, tuple(used), cues, phrases, lost)


def must_be_placed_by(encoder: str, space: Space, name: str) -> None:
    """Raise unless the space was made by the encoder whose vectors the weights are for."""
    if space.encoder != encoder:
        raise StaleCutoff(
            f"the head `{name}` was trained for the encoder `{encoder}`; in use is `{space.encoder}`. "
            "Train one for it with `sensecheck train-head`, and name it in a gate with the measure `head`"
        )


def _nearest(spans: list[Span], place: int, read: list[Span]) -> Span:
    """The part itself, or the nearest one before it that could be read, or else the first that could."""
    return next((span for span in reversed(spans[: place + 1]) if span in read), read[0])
