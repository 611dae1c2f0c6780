"""How near the answer lies to the nearest of some example texts."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class NearestExemplar:
    """The closeness of the answer to its nearest exemplar: what kind of text is this?"""

    exemplars: tuple[str, ...]
    of: Literal["answer", "opening"] = "answer"
    """What is compared: the whole answer, or its first sentence, where refusals are made."""

    def __post_init__(self) -> None:
        if not self.exemplars:
            raise SpecError("`exemplars` is empty; wanted at least one text")

    @property
    def name(self) -> str:
        """What people call it."""
        return "nearest_exemplar"

    def needs(self, sample: Sample) -> Needs:
        """The compared text and every exemplar."""
        return Needs(texts=(self._compared(sample).text, *self.exemplars))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The best cosine over the exemplars."""
        compared = self._compared(sample)
        near = space.closenesses(compared.text, self.exemplars)
        best = int(np.argmax(near))
        closeness = float(near[best])
        found = Evidence("nearest", compared, Span.of(f"exemplars[{best}]", self.exemplars[best]), closeness)
        because = f"the nearest exemplar, at closeness {closeness:.3f}, is “{self.exemplars[best]}”"
        return Reading(closeness, because, (found,), space.unread(compared.text))

    def _compared(self, sample: Sample) -> Span:
        pieces = sentences(sample.answer) if self.of == "opening" else []
        start, end = pieces[0] if pieces else (0, len(sample.answer))
        return Span.of("answer", sample.answer, start, end)
