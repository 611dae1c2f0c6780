"""All that an order asks for, read off a batch of rows: ask first, place once, then only read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sensecheck.checks.assess import Staircase
from sensecheck.core.backends import Answerers
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.evals.tables.result_fields import ERROR, OK
from sensecheck.evals.tables.samples import Row
from sensecheck.io.redaction import SHARED, quotes
from sensecheck.measures.metric_reader import Reader

LONGEST_REASON = 500
"""Characters."""
_QUOTED = "the reason quotes the row, and is not told"


@dataclass(frozen=True, slots=True)
class RowReading:
    """Metrics and checks, and who answers what they need."""

    readers: tuple[Reader, ...]
    checks: tuple[Check, ...]
    answerers: Answerers

    def columns(self, rows: Sequence[Row]) -> list[list[Any]]:
        """The columns of `result_fields`, for these rows; an answerer that is away raises."""
        samples = [row for row in rows if isinstance(row, Sample)]
        asked = [[reader.needs(sample) for sample in samples] for reader in self.readers]
        cases = [(sample, check) for sample in samples for check in self.checks]
        by_row = (needs for row in zip(*asked, strict=True) for needs in row)
        needs = Needs.union(needs for needs in by_row if needs is not None)
        space = Staircase(self.answerers, strict=True).climb(cases, needs)
        lines = iter([self._line(one, each, space) for one, *each in zip(samples, *asked, strict=True)])
        held = [self._unread(row) if isinstance(row, str) else next(lines) for row in rows]
        return [list(column) for column in zip(*held, strict=True)]

    def _line(self, sample: Sample, asked: Sequence[Needs | None], space: Space) -> tuple[Any, ...]:
        """What is appended to one row; row by row, since measures remember the texts that they read last."""
        line: list[Any] = []
        wrong: list[str] = []
        for reader, needs in zip(self.readers, asked, strict=True):
            found = None if needs is None else reader.value(sample, space)
            if isinstance(found, str):
                wrong.append(_told(reader.metric.name, found, sample))
                found = None
            line.append(found)
        if self.checks:
            self._decide(sample, space, line, wrong)
        elif not wrong and line.count(None) == len(line):
            wrong.append(f"no metric applies: the row has only {_parts_of(sample)}")
        return (*line, ERROR, _bounded("; ".join(wrong))) if wrong else (*line, OK, None)

    def _decide(self, sample: Sample, space: Space, line: list[Any], wrong: list[str]) -> None:
        """Add the outcome and the number of each check to the line."""
        for check in self.checks:
            verdict = check.decide(sample, space)
            line += (verdict.outcome, None if verdict.reading is None else verdict.reading.value)
            if verdict.outcome == ERROR:
                wrong.append(_told(check.name, verdict.because, sample))

    def _unread(self, because: str) -> tuple[Any, ...]:
        """The same for a row that nobody reads."""
        return (*[None] * len(self.readers), *[ERROR, None] * len(self.checks), ERROR, _bounded(because))


def _told(who: str, because: str, sample: Sample) -> str:
    return f"{who}: {_QUOTED if _quotes_row(because, sample) else because}"


def _parts_of(sample: Sample) -> str:
    named = ("answer", "question", "expected", "passages")
    return ", ".join(f"`{name}`" for name in named if getattr(sample, name) not in (None, ()))


def _quotes_row(because: str, sample: Sample) -> bool:
    """Whether a reason holds a stretch of the row's texts; texts too short to tell anything are left out."""
    texts = (sample.answer, sample.question, sample.expected, *sample.passages)
    return any(quotes(because, text) for text in texts if text is not None and len(text) > SHARED)


def _bounded(reason: str) -> str:
    return reason if len(reason) <= LONGEST_REASON else f"{reason[: LONGEST_REASON - 1]}…"
