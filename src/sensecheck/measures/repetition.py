"""How much of an answer says again what it has said."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Repetition:
    """The share of sentences that nearly repeat an earlier one."""

    twin: float = 0.9
    """From this closeness on, two sentences say the same."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "repetition"

    def needs(self, sample: Sample) -> Needs:
        """Every sentence."""
        return sentence_needs(sample)

    def read(self, sample: Sample, space: Space) -> Reading:
        """Sentences with an earlier twin, by all sentences."""
        said = sentence_spans(sample)
        twins = earlier_twins(said, sentence_vectors(said, space), self.twin)
        share = len(twins) / max(len(said), 1)
        because = f"{len(twins)} of {len(said)} sentences nearly repeat an earlier one"
        return Reading(share, because, twins, space.unread(*(span.text for span in said)))


def sentence_spans(sample: Sample) -> list[Span]:
    """The answer's sentences; an answer without any is one sentence, so that its emptiness is seen."""
    return [
        Span.of("answer", sample.answer, start, end)
        for start, end in sentences(sample.answer) or [(0, len(sample.answer))]
    ]


def sentence_needs(sample: Sample) -> Needs:
    """Every sentence of the answer, placed."""
    return Needs(texts=tuple(span.text for span in sentence_spans(sample)))


def sentence_vectors(said: Sequence[Span], space: Space) -> npt.NDArray[np.float32]:
    """One row a sentence."""
    return np.stack([space.vector(span.text) for span in said])


def earlier_twins(said: Sequence[Span], rows: npt.NDArray[np.float32], twin: float) -> tuple[Evidence, ...]:
    """For each sentence that nearly repeats an earlier one, the two of them."""
    near = np.clip(rows @ rows.T, -1.0, 1.0)
    found = []
    for i in range(1, len(said)):
        earlier = int(np.argmax(near[i, :i]))
        closeness = float(near[i, earlier])
        if closeness > twin:
            found.append(Evidence("repeated", said[i], said[earlier], closeness, "says again"))
    return tuple(found)
