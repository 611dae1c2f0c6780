"""How near the answer lies to the nearest of some example texts."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.given import must_be_texts
from sensecheck.measures.spoken import sentence_spans

OPENING = 3
"""How many sentences make an opening."""


@dataclass(frozen=True, slots=True)
class NearestExemplar:
    """The closeness of the answer to its nearest exemplar: what kind of text is this?"""

    exemplars: tuple[str, ...]
    of: Literal["answer", "opening"] = "answer"
    """What is compared: the whole answer, or its first sentences, each alone and all together, for an answer
    that begins with a refusal and goes on."""

    def __post_init__(self) -> None:
        must_be_texts("exemplars", self.exemplars)

    @property
    def name(self) -> str:
        """What people call it."""
        return "nearest_exemplar"

    def needs(self, sample: Sample) -> Needs:
        """What is compared, and every exemplar."""
        return Needs(texts=(*(span.text for span in self._compared(sample)), *self.exemplars))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The best cosine over what is compared and the exemplars."""
        found = max((self._nearest(span, space) for span in self._compared(sample)), key=_closeness)
        because = f"the nearest exemplar, at closeness {_closeness(found):.3f}, is “{_text(found.source)}”"
        return Reading(_closeness(found), because, (found,), space.unread(_text(found.answer)))

    def _nearest(self, compared: Span, space: Space) -> Evidence:
        near = space.closenesses(compared.text, self.exemplars)
        best = int(np.argmax(near))
        source = Span.of(f"exemplars[{best}]", self.exemplars[best])
        return Evidence("nearest", compared, source, float(near[best]))

    def _compared(self, sample: Sample) -> list[Span]:
        if self.of == "answer":
            return [Span.of("answer", sample.answer)]
        opening = sentence_spans(sample)[:OPENING]
        whole = Span.of("answer", sample.answer, opening[0].start, opening[-1].end)
        return list(dict.fromkeys((*opening, whole)))


def _closeness(found: Evidence) -> float:
    return found.closeness or 0.0


def _text(span: Span | None) -> str:
    return span.text if span else ""
