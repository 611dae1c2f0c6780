"""The page of a stored evaluation: one file, which wants a browser and fetches nothing.

An index of the answers that are shown is read at once; behind it lie the texts, in packs that are opened when
somebody looks at an answer of theirs.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.run import MetricScore, Run
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import Space
from sensecheck.io.atomic import whole_file
from sensecheck.io.pages import blob, built_page, json_bytes
from sensecheck.measures.metrics import measure_of
from sensecheck.runs.battery_page import Counted
from sensecheck.runs.figures import Reach, RunFigures
from sensecheck.runs.page_selection import FACTS, MOST, Axes, Positions, cells_of, chosen, line_of
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import AnsweredItem, Numbers, RunMetric, RunTable, joined, some_rows
from sensecheck.runs.summary import (
    MAX_VALUES,
    Distribution,
    MetricSummary,
    ordered,
    reach_in,
    rounded,
    validate_slices,
)
from sensecheck.text.escaping import cut

Data = Mapping[str, Any]
LONGEST = 20_000
"""Characters of a text that a page holds; how many more there are is said."""
TITLE = 160
"""As much of a question as fits into a list."""
PACK = 100
"""Pairs whose texts are unpacked together, when somebody opens one of them."""
POOL = 50_000
"""Answers from which those that are shown are chosen at a time."""
_NOTHING_ENCODED = Space()


@dataclass(frozen=True, slots=True)
class Besides:
    """What else is known of a run, computed elsewhere and ready for JSON; what is not there is not shown."""

    comparison: Data | None = None
    trend: Sequence[Data] = ()
    agreement: Sequence[Data] = ()

    @property
    def moved(self) -> list[str]:
        """The questions that moved since the other run."""
        return [str(one["id"]) for one in (self.comparison or {}).get("moved", ())]


def write_page(
    place: RunPlace,
    run: Run | RunTable,
    path: Path,
    *,
    besides: Besides | None = None,
    most: int = MOST,
    by: Sequence[str] | None = None,
    metric: str | None = None,
) -> int:
    """Write the page of a run, or of its numbers where they have been read; how many answers it shows.

    `by` names the slices: all unless given, and none of a large run. `metric` is one by which the worst are
    shown, where there are more answers than `most`. The file is there in whole or not at all, and the same
    for the same run.
    """
    extras = besides or Besides()
    stored_run = run.run if isinstance(run, RunTable) else run
    validate_slices(place, stored_run, by or ())
    names = [one.name for one in place.outline(stored_run).metrics] if metric else []
    if metric is not None and metric not in names:
        raise SpecError(did_you_mean(f"metric of the run {stored_run.key}", metric, set(names)))
    parts = iter((run,)) if isinstance(run, RunTable) else place.chunks(stored_run, by=by or ())
    page = PageData(stored_run, extras, most, by, metric)
    page.gather(parts, place)
    write_packed(path, page.pairs(place.answers(stored_run, page.positions.tolist())), page.index)
    return len(page.positions)


def write_packed(path: Path, pairs: Iterator[Data], index: Callable[[], Data]) -> None:
    """Write the texts first, pack by pack, so that no more than one is in memory; the index last."""
    before, after = built_page("sensecheck.runs", "evals_page.html")
    with whole_file(path) as file:
        file.write(before)
        while pack := list(islice(pairs, PACK)):
            file.write(blob("pairs", json_bytes(pack)))
        file.write(blob("index", json_bytes({**index(), "pack": PACK})))
        file.write(after)


@dataclass(slots=True)
class PageData:
    """The figures of all rows and the answers that are shown, gathered some rows at a time.

    Of the texts of answers it keeps their titles alone.
    """

    run: Run
    besides: Besides
    most: int = MOST
    by: Sequence[str] | None = None
    metric: str | None = None
    figures: RunFigures = field(default_factory=RunFigures)
    reached: int = 0
    """How many questions have an answer, or a reason why not."""
    table: RunTable | None = None
    """The answers that are shown, or may be."""
    positions: Positions = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Where they stand in the run."""
    axes: Axes | None = None
    reasons: dict[str, int] = field(default_factory=dict)
    """How many are shown for which reason; empty where all are."""
    errors: dict[int, str] = field(default_factory=dict)
    """What was most often wrong, by the key of the metric."""
    titles: list[str] = field(default_factory=list)
    _cells: Counter[tuple[int, ...]] = field(default_factory=Counter)

    def gather(self, parts: Iterable[RunTable], place: RunPlace) -> None:
        """Count all rows, and choose those that are shown."""
        counted = place.aggregates(self.run)
        reach = reach_in(place, self.run)
        reached = np.array(place.reached(self.run), dtype=np.int64) if counted is None else None
        for part in map(ordered, parts):
            here = np.arange(len(part.names)) if reached is None else reached[reached < len(part.names)]
            self._count(part, here, reach)
        self._choose()
        if any(self.figures.unread):
            gaps = place.reasons(self.run).gaps
            self.errors = {metric.key: gap.error for metric, gap in gaps.items() if gap.error is not None}

    @classmethod
    def of_rows(cls, table: RunTable) -> "PageData":
        """The data of some rows alone, all of which are shown."""
        page = cls(table.run, Besides())
        part = ordered(table)
        page._count(part, np.arange(len(part.names)), lambda _: None)
        page._choose()
        return page

    def _count(self, part: RunTable, here: Positions, reach: Callable[[RunMetric], Reach | None]) -> None:
        """Count some more rows, of which those at `here` have an answer."""
        self.axes = Axes.of(part)
        keys = self.by or sorted({key for kinds in part.slices for key in kinds})
        self.figures.add(part, reach, keys)
        self.reached += len(here)
        if self.axes is not None:
            self._cells.update(cells_of(part, self.axes, here))
        self._take(part, here)

    def pairs(self, answers: Iterator[AnsweredItem]) -> Iterator[dict[str, Any]]:
        """The texts of the answers that are shown, in their order."""
        for answer in answers:
            text = answer.item.question or answer.item.expected or answer.scored.answer or ""
            self.titles.append(cut(" ".join(text.split()), TITLE))
            yield pair_data(answer, self.figures.metrics)

    def index(self) -> dict[str, Any]:
        """All that is read at once, after the pairs have been read."""
        answered = self.figures.questions - self.figures.unanswered
        return {
            **run_data(self.run),
            "reached": self.reached,
            "answered": answered,
            "unanswered": self.reached - answered,
            "metrics": [self._metric_data(at) for at in range(len(self.figures.metrics))],
            "axes": None if self.axes is None else self.axes.to_data(),
            "reasons": self.reasons,
            "cells": self._hidden_cells(),
            "slices": [self._slice_data(key) for key in sorted(self.figures.slices)],
            "rows": self._rows(),
            "comparison": self.besides.comparison,
            "trend": list(self.besides.trend),
            "agreement": list(self.besides.agreement),
        }

    def _take(self, part: RunTable, here: Positions) -> None:
        """Add some rows to those that may be shown, of which no more than needed stay in memory."""
        rows = some_rows(part, here)
        self.table = rows if self.table is None else joined((self.table, rows))
        self.positions = np.concatenate((self.positions, here + part.first))
        if len(self.positions) > max(2 * self.most, POOL):
            self._choose()

    def _choose(self) -> None:
        if self.table is None:
            return
        selection = chosen(
            self.table,
            self.axes,
            most=self.most,
            moved=self.besides.moved,
            places=self.positions,
            metric=self.metric,
        )
        self.reasons = self.reasons if len(selection.positions) == len(self.positions) else selection.reasons
        self.table = some_rows(self.table, selection.positions)
        self.positions = self.positions[selection.positions]

    def _metric_data(self, at: int) -> dict[str, Any]:
        figures, metric = self.figures, self.figures.metrics[at]
        summary = MetricSummary.of(
            metric,
            figures.sums[at],
            questions=figures.questions,
            unread=figures.unread[at],
            unanswered=figures.unanswered,
            nothing=figures.nothing[at],
            error=self.errors.get(metric.key),
        )
        distribution = Distribution.of(figures.sums[at], figures.bins[at])
        return summary.to_data() | distribution.to_data() | {"line": line_of(metric.name)}

    def _slice_data(self, key: str) -> dict[str, Any]:
        """A row for each value of a slice: how many questions, and the mean of each metric over them."""
        slice_figures = self.figures.slices[key]
        values = [
            {
                "value": value,
                "questions": slice_figures.counts[value],
                "means": [
                    None if sums.mean is None else rounded(sums.mean) for sums in slice_figures.sums[value]
                ],
                "n": [sums.n for sums in slice_figures.sums[value]],
            }
            for value in slice_figures.most_frequent(MAX_VALUES)
        ]
        return {"key": key, "values": values, "others": max(0, slice_figures.distinct - MAX_VALUES)}

    def _rows(self) -> dict[str, Any]:
        table = self.table
        if table is None:
            return {"position": [], "id": [], "title": [], "values": [], "slices": {}, "labels": {}}
        return {
            "position": self.positions.tolist(),
            "id": list(table.names),
            "title": self.titles,
            "values": [_rounded(column) for column in table.values.T],
            "slices": {key: self._slice_rows(key, table) for key in sorted(self.figures.slices)},
            "labels": {name: _rounded(label_values) for name, label_values in table.labels.items()},
        }

    def _slice_rows(self, key: str, table: RunTable) -> dict[str, Any]:
        """The values of what is shown, and for each row which of them it has; None without one.

        `of` is how many there are in the whole run: it may be one per question.
        """
        counts = Counter(kinds[key] for kinds in table.slices if key in kinds)
        values = sorted(counts, key=lambda value: (-counts[value], value))
        numbers = {value: at for at, value in enumerate(values)}
        rows = [numbers.get(kinds[key]) if key in kinds else None for kinds in table.slices]
        return {"values": values, "rows": rows, "of": self.figures.slices[key].distinct}

    def _hidden_cells(self) -> list[list[int]]:
        """How many answers that are not shown lie in each cell of a hundredth, so that all can be counted.

        Across, upwards (-1 is n/a), whether a fact differs, how many, whether they are wrong (-1: not known).
        """
        if self.axes is None or not self.reasons or self.table is None:
            return []
        shown = cells_of(self.table, self.axes, np.arange(len(self.positions)))
        hidden = sorted((self._cells - shown).items())
        return [[x, y, differ, count, wrong] for (x, y, differ, wrong), count in hidden]


def pair_data(one: AnsweredItem, metrics: Sequence[RunMetric]) -> dict[str, Any]:
    """Its texts, and why each metric read what it did; `bare` where the prompt held no passages."""
    scored, pair = one.scored, one.item
    texts = {
        "question": pair.question,
        "expected": pair.expected,
        "answer": scored.answer,
        "error": scored.error,
    }
    passages = pair.passages if scored.passages is None else scored.passages
    return {
        **{what: None if text is None else text[:LONGEST] for what, text in texts.items()},
        "passages": [text[:LONGEST] for text in passages],
        "bare": scored.passages == (),
        "left_out": sum(max(0, len(text) - LONGEST) for text in (*texts.values(), *passages) if text),
        "because": _reasons(scored.readings, metrics),
        "facts": _facts(one),
        "latency_ms": scored.latency_ms,
        "cost": scored.cost,
    }


def run_data(run: Run) -> dict[str, Any]:
    """Which run it is, and what decided about its readings."""
    return {
        "run": run.key,
        "name": run.name,
        "project": run.test.project,
        "test": run.test.name,
        "at": run.started_at.isoformat(timespec="minutes"),
        "questions": run.set.size,
        "whole": run.whole,
        "encoder": run.encoder,
        "embedding": dict(run.test.embedding),
        "generation": dict(run.test.generation),
        "conditions": dict(run.conditions),
    }


def _reasons(readings: tuple[MetricScore, ...], metrics: Sequence[RunMetric]) -> dict[str, list[str | None]]:
    """Why it is so and what went wrong, by the number of the metric's column."""
    columns = {(metric.name, metric.fingerprint): at for at, metric in enumerate(metrics)}
    return {
        str(columns[reading.metric, reading.fingerprint]): [reading.because, reading.error]
        for reading in readings
        if reading.because or reading.error
    }


def _facts(answered: AnsweredItem) -> list[dict[str, Any]]:
    """Which facts differ and where they stand, if the run says that some do; the store keeps no places."""
    answer, expected = answered.scored.answer, answered.item.expected
    value = next((score.value for score in answered.scored.readings if score.metric == FACTS), None)
    if value is None or value == 1 or answer is None or expected is None:
        return []
    answer, expected = answer[:LONGEST], expected[:LONGEST]
    try:
        reading = measure_of(FACTS, "facts").read(
            Sample(answer, answered.item.question, expected), _NOTHING_ENCODED
        )
    except CannotJudge:
        return []
    counted_answer, counted_expected = Counted.of(answer), Counted.of(expected)
    return [
        {
            "kind": item.kind,
            "note": item.note,
            "at": None if item.answer is None else counted_answer.place(item.answer),
            "against": None if item.source is None else counted_expected.place(item.source),
        }
        for item in reading.evidence
    ]


def _rounded(column: Numbers) -> list[float | None]:
    return [rounded(value) for value in column.tolist()]
