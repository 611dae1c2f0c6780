"""How much of an answer says again what it has said, and whether its sentences turn in circles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import CannotJudge, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import MAX_CHARS, Space
from sensecheck.text.sentences import sentences

Rows = npt.NDArray[np.float32]
_BLOCK = 256
"""How many sentences are compared with all others at once."""
_TWIN = 0.9


@dataclass(frozen=True, slots=True)
class Repetition:
    """The share of sentences that nearly repeat an earlier one."""

    twin: float = _TWIN
    """From this similarity on, two sentences say the same."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "repetition"

    def needs(self, sample: Sample) -> Needs:
        """Every sentence."""
        return _sentence_needs(sample)

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer."""
        return {"answer": sample.answer}

    def read(self, sample: Sample, space: Space) -> Reading:
        """Sentences with an earlier twin, by all sentences."""
        spans = sentence_spans(sample)
        readable = space.readable([span.text for span in spans])
        readable_spans = [span for span in spans if span.text in readable]
        twins = earlier_twins(readable_spans, _sentence_vectors(readable_spans, space), self.twin)
        share = len(twins) / max(len(readable_spans), 1)
        because = f"{len(twins)} of {len(readable_spans)} sentences nearly repeat an earlier one"
        lost_chars = sum(len(span.text) for span in spans if span.text not in readable)
        return Reading(
            share, because, twins, lost_chars + space.unread(*(span.text for span in readable_spans))
        )


@dataclass(frozen=True, slots=True)
class Circling:
    """The heller score, from 0 to 1: 0.35 circularity, 0.40 tautology, 0.25 deceleration."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "circling"

    def needs(self, sample: Sample) -> Needs:
        """Every sentence."""
        return _sentence_needs(sample)

    def read(self, sample: Sample, space: Space) -> Reading:
        """The score, with the near-repeated sentences as evidence."""
        spans = sentence_spans(sample)
        if len(spans) < 2:
            raise CannotJudge("a path needs at least two sentences; the answer has one")
        rows = _sentence_vectors(spans, space)
        circular, tautology, slowing = circularity(rows), tautologies(rows), deceleration(rows)
        score = 0.35 * circular + 0.40 * tautology + 0.25 * slowing
        because = f"circularity {circular:.2f}, tautology {tautology:.2f}, deceleration {slowing:.2f}"
        twins = earlier_twins(spans, rows, _TWIN)
        return Reading(score, because, twins, space.unread(*(span.text for span in spans)))


def sentence_spans(sample: Sample) -> list[Span]:
    """The sentences of the answer that hold a letter or a digit; the whole answer, where none does."""
    if len(sample.answer) > MAX_CHARS:
        raise Unreadable(f"the answer has {len(sample.answer)} characters; at most {MAX_CHARS} are read")
    spans = [Span.of("answer", sample.answer, start, end) for start, end in sentences(sample.answer)]
    worded_spans = [span for span in spans if any(map(str.isalnum, span.text))]
    return worded_spans or [Span.of("answer", sample.answer)]


def earlier_twins(said: Sequence[Span], rows: Rows, twin: float) -> tuple[Evidence, ...]:
    """For each sentence that nearly repeats an earlier one, the two of them."""
    twins: list[Evidence] = []
    for start in range(0, len(said), _BLOCK):
        block = np.clip(rows[start : start + _BLOCK] @ rows.T, -1.0, 1.0)
        for i, near in enumerate(block, start):
            earlier = int(np.argmax(near[:i])) if i else 0
            similarity = float(near[earlier])
            if i and similarity > twin:
                twins.append(Evidence("repeated", said[i], said[earlier], similarity, "says again"))
    return tuple(twins)


def circularity(rows: Rows) -> float:
    """How similar each sentence is to the one before the last; two sentences have none."""
    if len(rows) < 3:
        return 0.0
    return _scaled(float(np.mean(np.sum(rows[2:] * rows[:-2], axis=1))))


def tautologies(rows: Rows) -> float:
    """How alike all sentences are, and how little way the path makes for its length."""
    total = rows.sum(axis=0, dtype=np.float64)
    pairs = len(rows) * (len(rows) - 1)
    alike = _scaled(float(total @ total - np.sum(np.square(rows, dtype=np.float64))) / pairs)
    progress = float(np.linalg.norm(rows[-1] - rows[0])) / (float(_steps(rows).sum()) + 0.01)
    return 0.6 * alike + 0.4 * (1 - min(progress, 1.0))


def deceleration(rows: Rows) -> float:
    """How steadily the steps grow shorter."""
    steps = _steps(rows)
    if len(steps) < 2:
        return 0.0
    shorter = float(np.mean(steps[1:] < steps[:-1]))
    slope = float(np.polyfit(np.arange(len(steps)), steps, 1)[0])
    return 0.6 * shorter + 0.4 * (1.0 if slope < -0.05 else 0.5 if slope < 0 else 0.0)


def _sentence_needs(sample: Sample) -> Needs:
    """Every sentence of the answer, to be embedded."""
    return Needs(texts=tuple(span.text for span in sentence_spans(sample)))


def _sentence_vectors(spans: Sequence[Span], space: Space) -> Rows:
    """One row per sentence."""
    return np.stack([space.vector(span.text) for span in spans])


def _steps(rows: Rows) -> npt.NDArray[np.float64]:
    """How far each sentence is from the one before."""
    steps: npt.NDArray[np.float64] = np.linalg.norm(np.diff(rows, axis=0), axis=1).astype(np.float64)
    return steps


def _scaled(similarity: float) -> float:
    """From 0 to 1 what is between a similarity of 0.3 and one of 0.8."""
    return min(max((similarity - 0.3) / 0.5, 0.0), 1.0)
