"""How far the passages support an answer, from 1 down to 0."""

from collections.abc import Mapping
from dataclasses import dataclass

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.support.findings import answer_reading
from sensecheck.measures.support.support import supported
from sensecheck.measures.support.weights import SupportModel, shipped_model


@dataclass(frozen=True, slots=True)
class Groundedness:
    """Reads every word of every claim next to the passages; an answer is as good as its worst claim."""

    model: SupportModel

    @property
    def name(self) -> str:
        """What people call it."""
        return "groundedness"

    def needs(self, sample: Sample) -> Needs:
        """The answer and the passages, word by word."""
        return Needs(tokens=(sample.answer, *sample.require_passages()))

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer and the passages."""
        passages = {f"passages[{at}]": text for at, text in enumerate(sample.require_passages())}
        return {"answer": sample.answer, **passages}

    def read(self, sample: Sample, space: Space) -> Reading:
        """The support of the answer, with what speaks against it as evidence."""
        return answer_reading(sample, supported(sample, space, self.model), space)


def groundedness() -> Groundedness:
    """With the model that comes with sensecheck."""
    return Groundedness(shipped_model())
