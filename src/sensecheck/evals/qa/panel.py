"""All metrics of a run, read off a batch of answers: ask first, place once, then only read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.checks.staircase import Staircase
from sensecheck.core.encoder import Answerers, Encoder, Judge, PairScorer
from sensecheck.core.errors import CannotJudge, MissingInput
from sensecheck.core.needs import Needs
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.evals.qa.metric import Metric
from sensecheck.store.records import KeptReading


@dataclass(frozen=True, slots=True)
class NamedEncoder:
    """An encoder, and what people call it in this run."""

    name: str
    encoder: Encoder


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
        asked = Needs.union(needs for metric in metrics for needs in _needs(metric, samples))
        answerers = Answerers(named.encoder if named else None, self.pairs, self.judge)
        space = Staircase(answerers).answer(asked)
        for sample in samples:
            each = (_reading(metric, sample, space, named) for metric in metrics)
            yield [reading for reading in each if reading is not None]


def _needs(metric: Metric, samples: Sequence[Sample]) -> Iterator[Needs]:
    for sample in samples:
        try:
            yield metric.measure.needs(sample)
        except CannotJudge:
            continue  # told where it is read


def _reading(metric: Metric, sample: Sample, space: Space, named: NamedEncoder | None) -> KeptReading | None:
    """The reading; None where the metric does not apply, since the sample lacks what it compares."""
    by = (named.name, named.encoder.fingerprint) if named and metric.uses_encoder else ("", "")
    try:
        reading = metric.measure.read(sample, space)
    except MissingInput:
        return None
    except CannotJudge as reason:
        return KeptReading(metric.name, None, None, str(reason), *by)
    kept = metric.keeps_reasons or not sample.answer.strip() or not (sample.expected or "").strip()
    return KeptReading(metric.name, reading.value, reading.because if kept else None, None, *by)
