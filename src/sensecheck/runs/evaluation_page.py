"""The page of a stored evaluation: one file, which wants a browser and fetches nothing.

An index of the answers that are shown is read at once; behind it lie the texts, in packs that are opened when
somebody looks at an answer of theirs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from sensecheck.core.errors import CannotJudge
from sensecheck.core.reading import Evidence
from sensecheck.core.run import MetricScore, Run
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.io.atomic import whole_file
from sensecheck.io.pages import blob, built_page, json_bytes
from sensecheck.measures.metrics import measure_of
from sensecheck.runs.battery_page import Counted
from sensecheck.runs.page_selection import (
    FACTS,
    MOST,
    Axes,
    Chosen,
    Positions,
    chosen,
    line_of,
    slice_values,
    slices_data,
    wrong_of,
)
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import AnsweredItem, Numbers, RunTable
from sensecheck.runs.summary import errors_of, ordered, rounded, spreads_of
from sensecheck.text.escaping import cut

Data = Mapping[str, Any]
LONGEST = 20_000
"""Characters of a text that a page holds; how many more there are is said."""
TITLE = 160
"""As much of a question as fits into a list."""
PACK = 100
"""Pairs whose texts are unpacked together, when somebody opens one of them."""
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
) -> None:
    """Write the page of a run, or of its numbers where they have been read already.

    Its file is there in whole or not at all, and the same for the same run.
    """
    table = run if isinstance(run, RunTable) else place.table(run)
    reached, errors = reached_in(place, table), errors_of(place, table)
    page = PageData.of(table, besides or Besides(), most=most, reached=reached, errors=errors)
    shown = place.answers(table.run, page.shown.positions.tolist())
    write_packed(path, page.pairs(shown), page.index)


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
    """Gathers the titles while the pairs are read; of their texts it keeps nothing."""

    table: RunTable
    besides: Besides
    axes: Axes | None
    reached: Positions
    """The positions that have an answer, or a reason why not."""
    shown: Chosen
    errors: Mapping[int, str] = field(default_factory=dict)
    """What was most often wrong, by the key of the metric."""
    titles: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        table: RunTable,
        besides: Besides,
        *,
        reached: Positions,
        most: int = MOST,
        errors: Mapping[int, str] | None = None,
    ) -> "PageData":
        """Decides which of a run's answers are shown, and in which order its metrics are."""
        in_order = ordered(table)
        axes = Axes.of(in_order)
        shown = chosen(in_order, axes, most=most, moved=besides.moved, reached=reached)
        return cls(in_order, besides, axes, reached, shown, errors or {})

    def pairs(self, answers: Iterator[AnsweredItem]) -> Iterator[dict[str, Any]]:
        """The texts of the answers that are shown, in their order."""
        for one in answers:
            said = one.item.question or one.item.expected or one.scored.answer or ""
            self.titles.append(cut(" ".join(said.split()), TITLE))
            yield pair_data(one, self.table)

    def index(self) -> dict[str, Any]:
        """All that is read at once, after the pairs have been read."""
        table, positions = self.table, self.shown.positions
        return {
            **run_data(table.run),
            **self._counts(),
            "metrics": self._metrics(),
            "axes": self._axes(),
            "reasons": self.shown.reasons,
            "cells": self._cells(),
            "slices": slices_data(table),
            "rows": {
                "position": positions.tolist(),
                "id": [table.names[at] for at in positions],
                "title": self.titles,
                "values": [_rounded(table.values[positions, at]) for at in range(len(table.metrics))],
                "slices": self._slices(),
                "labels": {name: _rounded(said[positions]) for name, said in table.labels.items()},
            },
            "comparison": self.besides.comparison,
            "trend": list(self.besides.trend),
            "agreement": list(self.besides.agreement),
        }

    def _counts(self) -> dict[str, int]:
        """How far the run has come; the table counts what was passed over among the unanswered."""
        answered = len(self.table.names) - self.table.unanswered
        reached = len(self.reached)
        return {"reached": reached, "answered": answered, "unanswered": reached - answered}

    def _metrics(self) -> list[dict[str, Any]]:
        spreads = spreads_of(self.table, self.errors)
        return [one.to_data() | {"line": line_of(one.summary.metric)} for one in spreads]

    def _axes(self) -> dict[str, Any] | None:
        if self.axes is None:
            return None
        return {
            "across": self.axes.across,
            "upwards": self.axes.upwards,
            "facts": self.axes.facts,
            "correct": self.axes.correct,
        }

    def _slices(self) -> dict[str, dict[str, Any]]:
        """Of each key the values of what is shown, and for each row which of them it has; None without one.

        How many there are in the whole run is said besides: it may be one a question.
        """
        slices = [self.table.slices[at] for at in self.shown.positions]
        shown = slice_values(slices)
        columns = {}
        for key, values in slice_values(self.table.slices).items():
            some = shown.get(key, [])
            numbers = {value: at for at, value in enumerate(some)}
            rows = [numbers.get(kinds[key]) if key in kinds else None for kinds in slices]
            columns[key] = {"values": some, "rows": rows, "of": len(values)}
        return columns

    def _cells(self) -> list[list[int]]:
        """How many answers that are not shown lie in each cell of a hundredth, so that all can be counted.

        Across, upwards (-1 is n/a), whether a fact differs, how many, whether they are wrong (-1: not known).
        """
        if self.axes is None or not self.shown.reasons:
            return []
        hidden = np.zeros(len(self.table.names), dtype=np.bool_)
        hidden[self.reached] = True
        hidden[self.shown.positions] = False
        sides = [self.table.values[hidden, at] for at in (self.axes.across, self.axes.upwards)]
        cells = [np.where(np.isnan(side), -1, np.floor(side * 100 + 1e-9)).astype(int) for side in sides]
        differs = self.axes.differs(self.table).astype(int)
        wrong = np.nan_to_num(wrong_of(self.table, self.axes), nan=-1).astype(int)
        rows = np.stack([*cells, differs[hidden], wrong[hidden]], axis=1)
        found, counts = np.unique(rows, axis=0, return_counts=True)
        counted = zip(found.tolist(), counts.tolist(), strict=True)
        return [[x, y, differ, count, known] for (x, y, differ, known), count in counted]


def pair_data(one: AnsweredItem, table: RunTable) -> dict[str, Any]:
    """Its texts, and why each metric read what it did; `bare` where the prompt held no passages."""
    kept, pair = one.scored, one.item
    texts = {"question": pair.question, "expected": pair.expected, "answer": kept.answer, "error": kept.error}
    passages = pair.passages if kept.passages is None else kept.passages
    return {
        **{what: None if text is None else text[:LONGEST] for what, text in texts.items()},
        "passages": [text[:LONGEST] for text in passages],
        "bare": kept.passages == (),
        "left_out": sum(max(0, len(text) - LONGEST) for text in (*texts.values(), *passages) if text),
        "because": _reasons(kept.readings, table),
        "facts": _facts(one),
        "latency_ms": kept.latency_ms,
        "cost": kept.cost,
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


def reached_in(place: RunPlace, table: RunTable) -> Positions:
    """The positions of a run's table that have an answer or a reason why not, in order; there may be gaps."""
    found = np.array(place.reached(table.run), dtype=np.int64)
    return found[found < len(table.names)]  # others may have come since the table was read


def _reasons(readings: tuple[MetricScore, ...], table: RunTable) -> dict[str, list[str | None]]:
    """Why it is so and what went wrong, by the number of the metric's column."""
    columns = {(metric.name, metric.fingerprint): at for at, metric in enumerate(table.metrics)}
    return {
        str(columns[one.metric, one.fingerprint]): [one.because, one.error]
        for one in readings
        if one.because or one.error
    }


def _facts(one: AnsweredItem) -> list[dict[str, Any]]:
    """Which facts differ and where they stand, if the run says that some do; the store keeps no places."""
    answer, expected = one.scored.answer, one.item.expected
    read = next((each.value for each in one.scored.readings if each.metric == FACTS), None)
    if read is None or read == 1 or answer is None or expected is None:
        return []
    answer, expected = answer[:LONGEST], expected[:LONGEST]
    try:
        found = measure_of(FACTS, "facts").read(Sample(answer, one.item.question, expected), _NOTHING_ENCODED)
    except CannotJudge:
        return []
    sides = Counted.of(answer), Counted.of(expected)
    return [_fact_data(item, *sides) for item in found.evidence]


def _fact_data(item: Evidence, answer: Counted, expected: Counted) -> dict[str, Any]:
    return {
        "kind": item.kind,
        "note": item.note,
        "at": None if item.answer is None else answer.place(item.answer),
        "against": None if item.source is None else expected.place(item.source),
    }


def _rounded(column: Numbers) -> list[float | None]:
    return [rounded(value) for value in column.tolist()]
