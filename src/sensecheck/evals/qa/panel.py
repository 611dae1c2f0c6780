"""All metrics of a run, read off a batch of answers: ask first, place once, then only read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.checks.staircase import Staircase
from sensecheck.core.encoder import Answerers, Encoder, Judge, PairScorer
from sensecheck.core.errors import AnswererError, CannotJudge, MissingInput
from sensecheck.core.needs import Needs
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.evals.qa.metric import Metric
from sensecheck.store.records import KeptReading

Mark = tuple[str, str]
"""Who read: the encoder's name and its fingerprint."""
NOBODY: Mark = ("", "")
NEVER_ANSWERED = "never answered"


@dataclass(frozen=True, slots=True)
class NamedEncoder:
    """An encoder, and what people call it in this run."""

    name: str
    encoder: Encoder

    @property
    def mark(self) -> Mark:
        """Its name and fingerprint; one that has never answered has none."""
        try:
            return self.name, self.encoder.fingerprint
        except AnswererError:
            return self.name, NEVER_ANSWERED


@dataclass(frozen=True, slots=True)
class Panel:
    """The metrics of a run, and who answers what they need.

    An answer that a metric cannot read has no number there, and the reason is kept; all others are read.
    """

    metrics: tuple[Metric, ...]
    encoders: tuple[NamedEncoder, ...] = ()
    """The first one is the run's own; the others read only what compares meaning."""
    pairs: PairScorer | None = None
    judge: Judge | None = None

    def read_each(self, samples: Sequence[Sample]) -> list[tuple[KeptReading, ...]]:
        """What all metrics read off each sample, in the order of the metrics."""
        rounds = [list(self._round(number, samples)) for number in range(max(1, len(self.encoders)))]
        return [tuple(reading for one in rounds for reading in one[i]) for i in range(len(samples))]

    def _round(self, number: int, samples: Sequence[Sample]) -> Iterator[list[KeptReading]]:
        """What is read by one encoder; with the first, also all that needs none."""
        named = self.encoders[number] if self.encoders else None
        metrics = [metric for metric in self.metrics if number == 0 or metric.by_each_encoder]
        asked = [[_needs(metric, sample) for metric in metrics] for sample in samples]
        answerers = Answerers(named.encoder if named else None, self.pairs, self.judge)
        space = Staircase(answerers).answer(Needs.union(needs for row in asked for needs in row if needs))
        mark = named.mark if named and any(metric.uses_encoder for metric in metrics) else NOBODY
        readers = [(metric, mark if metric.uses_encoder else NOBODY) for metric in metrics]
        for sample, row in zip(samples, asked, strict=True):
            each = (
                _reading(metric, sample, space, by)
                for (metric, by), needs in zip(readers, row, strict=True)
                if needs is not None
            )
            yield [reading for reading in each if reading is not None]


def _needs(metric: Metric, sample: Sample) -> Needs | None:
    """What it asks for; None where it does not apply, since the sample lacks what it compares."""
    try:
        return metric.measure.needs(sample)
    except MissingInput:
        return None
    except CannotJudge:
        return Needs()  # told where it is read


def _reading(metric: Metric, sample: Sample, space: Space, by: Mark) -> KeptReading | None:
    """The reading; None where it turns out now that the metric does not apply."""
    try:
        reading = metric.measure.read(sample, space)
    except MissingInput:
        return None
    except CannotJudge as reason:
        return KeptReading(metric.name, None, None, str(reason), *by)
    kept = metric.keeps_reasons or not sample.answer.strip() or not (sample.expected or "").strip()
    return KeptReading(metric.name, reading.value, reading.because if kept else None, None, *by)
