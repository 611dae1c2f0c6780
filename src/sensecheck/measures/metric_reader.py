"""One metric that reads answers in the name of an encoder: a number, or why there is none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from sensecheck.core.errors import CannotJudge, MissingInput, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import FastMeasure
from sensecheck.core.run import MetricScore
from sensecheck.core.sample import Sample
from sensecheck.core.space import EMPTY, Space
from sensecheck.measures.lexical.tokens import nothing_to_compare
from sensecheck.measures.metrics import Metric

Mark = tuple[str, str]
"""Who read: the encoder's name and its fingerprint."""
NOBODY: Mark = ("", "")
WORDLESS = frozenset(filter(None, (nothing_to_compare(*two) for two in (("", "x"), ("x", ""), ("", "")))))
"""What lexical measures say where one of the texts has no words for them."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one metric off any number of samples."""

    metric: Metric
    by: Mark
    number: Callable[[Sample, Space], float] | None
    """Reads the number alone, where the measure can and no one keeps the reasons."""

    @classmethod
    def of(cls, metric: Metric, mark: Mark = NOBODY) -> Self:
        """The reader of a metric; the mark is that of the encoder, where one is used."""
        measure = metric.measure
        alone = measure.number if isinstance(measure, FastMeasure) and not metric.keeps_reasons else None
        return cls(metric, mark if metric.uses_encoder else NOBODY, alone)

    def needs(self, sample: Sample) -> Needs | None:
        """What it asks for; None where it does not apply, since the sample lacks what it compares."""
        try:
            return self.metric.measure.needs(sample)
        except MissingInput:
            return None
        except CannotJudge:
            return Needs()  # reported where it is read

    def read(self, sample: Sample, space: Space) -> MetricScore | None:
        """The reading; None where it turns out now that the metric does not apply."""
        both = sample.answer.strip() and (sample.expected or "").strip()
        try:
            if both and self.number is not None:
                return MetricScore(self.metric.name, self.number(sample, space), None, None, *self.by)
            reading = self.metric.measure.read(sample, space)
        except MissingInput:
            return None
        except CannotJudge as reason:
            return self._not_read(sample, reason)
        keeps_reason = self.metric.keeps_reasons or not both or reading.because in WORDLESS
        return self._score(reading.value, reading.because if keeps_reason else None)

    def value(self, sample: Sample, space: Space) -> float | str | None:
        """The number alone, or why there is none; None where it does not apply."""
        if self.number is not None:
            try:
                return self.number(sample, space)
            except CannotJudge:
                pass  # reported by the reading
        reading = self.read(sample, space)
        if reading is None or reading.value is not None:
            return None if reading is None else reading.value
        return reading.error or reading.because

    def _not_read(self, sample: Sample, reason: CannotJudge) -> MetricScore:
        if not self._is_empty(sample, reason):
            return self._score(None, None, str(reason))
        if self.metric.kind == "facts":  # as by all that compares it with the expected answer
            return self._score(0.0, "the answer is empty, which counts as 0")
        return self._score(None, str(reason))

    def _score(self, value: float | None, because: str | None, error: str | None = None) -> MetricScore:
        return MetricScore(self.metric.name, value, because, error, *self.by)

    def _is_empty(self, sample: Sample, reason: CannotJudge) -> bool:
        """Whether there was nothing to read in an empty answer, rather than no one to read it."""
        nobody_failed = not isinstance(reason, Unreadable) or str(reason) == EMPTY
        return self.metric.kind != "judged" and nobody_failed and not sample.answer.strip()
