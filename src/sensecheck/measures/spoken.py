"""An answer sentence by sentence: what all measures share that read it so."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import MAX_CHARS, Space
from sensecheck.text.sentences import sentences

Rows = npt.NDArray[np.float32]
_BLOCK = 256


def sentence_spans(sample: Sample) -> list[Span]:
    """The sentences of the answer that hold a letter or a digit; the whole answer, where none does."""
    if len(sample.answer) > MAX_CHARS:
        raise Unreadable(f"the answer has {len(sample.answer)} characters; at most {MAX_CHARS} are read")
    spans = [Span.of("answer", sample.answer, start, end) for start, end in sentences(sample.answer)]
    said = [span for span in spans if any(map(str.isalnum, span.text))]
    return said or [Span.of("answer", sample.answer)]


def sentence_needs(sample: Sample) -> Needs:
    """Every sentence of the answer, placed."""
    return Needs(texts=tuple(span.text for span in sentence_spans(sample)))


def sentence_vectors(said: Sequence[Span], space: Space) -> Rows:
    """One row a sentence."""
    return np.stack([space.vector(span.text) for span in said])


def earlier_twins(said: Sequence[Span], rows: Rows, twin: float) -> tuple[Evidence, ...]:
    """For each sentence that nearly repeats an earlier one, the two of them."""
    found: list[Evidence] = []
    for start in range(0, len(said), _BLOCK):
        block = np.clip(rows[start : start + _BLOCK] @ rows.T, -1.0, 1.0)
        for i, near in enumerate(block, start):
            earlier = int(np.argmax(near[:i])) if i else 0
            closeness = float(near[earlier])
            if i and closeness > twin:
                found.append(Evidence("repeated", said[i], said[earlier], closeness, "says again"))
    return tuple(found)
