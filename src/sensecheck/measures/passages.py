"""How near the answer lies to the nearest stretch of the passages."""

from dataclasses import dataclass

import numpy as np

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space


@dataclass(frozen=True, slots=True)
class PassageSimilarity:
    """The closeness of the answer to its nearest window of any passage; long passages are read whole."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "passage_similarity"

    def needs(self, sample: Sample) -> Needs:
        """The answer and every passage."""
        return Needs(texts=(sample.answer, *sample.must_have_passages()))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The best cosine over all windows."""
        answer = space.vector(sample.answer)
        near = [space.placement(p).windows @ answer for p in sample.must_have_passages()]
        best = max(range(len(near)), key=lambda i: float(near[i].max()))
        window = int(np.argmax(near[best]))
        closeness = float(np.clip(near[best][window], -1.0, 1.0))
        passage = sample.passages[best]
        start, end = space.placement(passage).spans[window]
        found = Evidence(
            "nearest",
            Span.of("answer", sample.answer),
            Span.of(f"passages[{best}]", passage, start, end),
            closeness,
        )
        because = f"the answer's closeness to the nearest stretch of the passages is {closeness:.3f}"
        return Reading(closeness, because, (found,), space.unread(sample.answer, *sample.passages))
