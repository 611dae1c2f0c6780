"""All metrics of a run, read off a batch of answers: ask first, encode once, then only read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.checks.assess import Staircase
from sensecheck.core.backends import Backends, Encoder, Judge, PairScorer
from sensecheck.core.errors import BackendError
from sensecheck.core.needs import Needs
from sensecheck.core.run import MetricScore
from sensecheck.core.sample import Sample
from sensecheck.encoders.wrappers import Silent
from sensecheck.measures.metric_reader import NOBODY, Mark, Reader
from sensecheck.measures.metrics import Metric

NEVER_ANSWERED = "never answered"
"""How the fingerprint of an unknown encoder begins; its name follows, for there may be several."""


@dataclass(frozen=True, slots=True)
class NamedEncoder:
    """An encoder, and what people call it in this run."""

    name: str
    encoder: Encoder

    @property
    def mark(self) -> Mark:
        """Its name and fingerprint; one that has never answered has none."""
        return self.identity()[1]

    def identity(self) -> tuple[Encoder, Mark]:
        """The encoder and its mark; one that does not even say who it is, is asked for nothing else."""
        try:
            return self.encoder, (self.name, self.encoder.fingerprint)
        except BackendError as reason:
            return Silent(self.name, str(reason)), (self.name, f"{NEVER_ANSWERED}: {self.name}")

    def settled(self) -> "NamedEncoder":
        """The same for a complete run: one that does not answer when it begins stays silent to its end."""
        return NamedEncoder(self.name, self.identity()[0])


@dataclass(frozen=True, slots=True)
class Panel:
    """The metrics of a run, and who answers what they need.

    An answer that a metric cannot read has no number there, and the reason is stored; all others are read.
    """

    metrics: tuple[Metric, ...]
    encoders: tuple[NamedEncoder, ...] = ()
    """The first one is the run's own; the others read only what compares meaning."""
    pairs: PairScorer | None = None
    judge: Judge | None = None

    def read_each(self, samples: Sequence[Sample]) -> list[tuple[MetricScore, ...]]:
        """What all metrics read off each sample, in the order of the metrics."""
        rounds = [list(self._round(number, samples)) for number in range(max(1, len(self.encoders)))]
        return [tuple(reading for round_ in rounds for reading in round_[i]) for i in range(len(samples))]

    def _round(self, number: int, samples: Sequence[Sample]) -> Iterator[list[MetricScore]]:
        """What is read by one encoder; with the first, also all that needs none."""
        named_encoder = self.encoders[number] if self.encoders else None
        metrics = [metric for metric in self.metrics if number == 0 or metric.by_each_encoder]
        encoder, mark = named_encoder.encoder if named_encoder else None, NOBODY
        if named_encoder and any(metric.uses_encoder for metric in metrics):
            encoder, mark = named_encoder.identity()
        readers = [Reader.of(metric, mark) for metric in metrics]
        needs_by_sample = [[reader.needs(sample) for reader in readers] for sample in samples]
        answerers = Backends(encoder, self.pairs, self.judge)
        space = Staircase(answerers).answer(
            Needs.union(needs for row in needs_by_sample for needs in row if needs)
        )
        for sample, row in zip(samples, needs_by_sample, strict=True):
            readings = (
                reader.read(sample, space)
                for reader, needs in zip(readers, row, strict=True)
                if needs is not None
            )
            yield [reading for reading in readings if reading is not None]
