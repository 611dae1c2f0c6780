"""What the page of a kept run holds: an index of what is shown, and behind it the texts, pair by pair."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sensecheck.core.run import Run
from sensecheck.evals.qa.metric_order import ordered
from sensecheck.evals.qa.report.axes import Axes, line_of
from sensecheck.evals.qa.report.by_slice import slice_values, slices_data
from sensecheck.evals.qa.report.chosen import MOST, Chosen, Places, chosen
from sensecheck.evals.qa.report.kinds import wrong_of
from sensecheck.evals.qa.report.pair_data import pair_data
from sensecheck.evals.qa.report.spreads import rounded, spreads_of
from sensecheck.store.run_reading import AnsweredPair, Numbers, RunTable
from sensecheck.text.escaping import cut

TITLE = 160
"""As much of a question as a list has room for."""
Data = Mapping[str, Any]


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


@dataclass(slots=True)
class PageData:
    """Gathers the titles while the pairs go by; of their texts it keeps nothing."""

    table: RunTable
    besides: Besides
    axes: Axes | None
    reached: Places
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
        reached: Places,
        most: int = MOST,
        errors: Mapping[int, str] | None = None,
    ) -> "PageData":
        """Decides which of a run's answers are shown, and in which order its metrics are."""
        held = ordered(table)
        axes = Axes.of(held)
        shown = chosen(held, axes, most=most, moved=besides.moved, reached=reached)
        return cls(held, besides, axes, reached, shown, errors or {})

    def pairs(self, answers: Iterator[AnsweredPair]) -> Iterator[dict[str, Any]]:
        """The texts of the answers that are shown, in their order."""
        for one in answers:
            said = one.pair.question or one.pair.expected or one.told.answer or ""
            self.titles.append(cut(" ".join(said.split()), TITLE))
            yield pair_data(one, self.table)

    def index(self) -> dict[str, Any]:
        """All that is read at once, after the pairs have gone by."""
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
                "values": [_numbers(table.values[positions, at]) for at in range(len(table.metrics))],
                "slices": self._slices(),
                "labels": {name: _numbers(held[positions]) for name, held in table.labels.items()},
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

        How many there are in the whole run is told beside: it may be one a question.
        """
        held = [self.table.slices[at] for at in self.shown.positions]
        shown = slice_values(held)
        told = {}
        for key, values in slice_values(self.table.slices).items():
            some = shown.get(key, [])
            places = {value: at for at, value in enumerate(some)}
            rows = [places.get(kinds[key]) if key in kinds else None for kinds in held]
            told[key] = {"values": some, "rows": rows, "of": len(values)}
        return told

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
        told = zip(found.tolist(), counts.tolist(), strict=True)
        return [[x, y, differ, count, known] for (x, y, differ, known), count in told]


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


def _numbers(column: Numbers) -> list[float | None]:
    return [rounded(value) for value in column.tolist()]
