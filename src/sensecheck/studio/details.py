"""One row in full, as the components of reports show it, and a run as one file to share.

The data of a row is that of a report with this row alone: the Studio and reports are drawn by the same code.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sensecheck.core.errors import NoSuchRun
from sensecheck.runs.battery_page import BatteryPageData, texts_of, write_html
from sensecheck.runs.evaluation_page import PageData, write_page
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.record import AnsweredItem, RunMetric, RunTable
from sensecheck.studio.index import RunIndex, results_at
from sensecheck.studio.library import StudioRun

MAX_OTHERS = 50
"""Answers of other sources and prompts to the same test that are shown beside one."""


def row_detail(found: StudioRun, index: RunIndex, at: int) -> dict[str, Any]:
    """A row of a run with its texts, its verdict or scores, and the evidence."""
    require_row(index, at)
    file = found.file
    return _test_detail(file, index, at) if file is not None else _answer_detail(found, index, at)


def require_row(index: RunIndex, at: int) -> None:
    """Raise unless there is such a row."""
    if not 0 <= at < len(index):
        raise NoSuchRun(f"there is no row {at} in this run, which has {len(index)}")


def answer_at(found: StudioRun, index: RunIndex, at: int) -> AnsweredItem:
    """The answer in a row of an evaluation."""
    position = int(index.tests[at])
    answer = next(iter(found.place.answers(found.run, [position])), None)
    if answer is None:
        raise NoSuchRun(f"there is no answer {position + 1} in this run")
    return answer


def grid_page(found: StudioRun, index: RunIndex, places: list[int]) -> list[dict[str, Any]]:
    """Tests by source and prompt, with the answers; `places` are the first rows of the tests."""
    file = found.file
    if file is None:
        return []
    rows = []
    for first in places:
        same = np.flatnonzero(index.tests == index.tests[first])[:MAX_OTHERS]
        cells = [_cell(file, index, int(at)) for at in same]
        rows.append(
            {
                "test": int(index.tests[first]),
                "title": index.titles[first],
                "id": index.ids[first],
                "cells": cells,
            }
        )
    return rows


def export_page(found: StudioRun, path: Path) -> None:
    """Write the report of a run: one file that can be sent to others."""
    if found.file is not None:
        write_html(found.file, path)
    else:
        write_page(found.place, found.run, path)


def _test_detail(file: RunFile, index: RunIndex, at: int) -> dict[str, Any]:
    """A test, and the same test from other sources and in other prompts."""
    same = np.flatnonzero(index.tests == index.tests[at])[:MAX_OTHERS].tolist()
    page = BatteryPageData(file.header)
    tests = (results_at(file, int(index.offsets[other])) for other in same)
    items = [{"detail": page.add(outcome), "texts": texts_of(outcome)} for outcome in tests]
    data = page.index() | {"packs": []}
    return {"kind": "test", "index": data, "items": items, "row": same.index(at), "rows": same}


def _answer_detail(studio_run: StudioRun, index: RunIndex, at: int) -> dict[str, Any]:
    answer = answer_at(studio_run, index, at)
    page = PageData.of_rows(_table_of(studio_run, answer))
    (pair,) = page.pairs(iter([answer]))
    data = page.index() | {"pack": 1}
    data["rows"]["position"] = [answer.position]
    return {"kind": "answer", "index": data, "pair": pair}


def _table_of(studio_run: StudioRun, answer: AnsweredItem) -> RunTable:
    """The numbers of one answer, as a table of one row."""
    scores = answer.scored.readings
    metrics = tuple(
        RunMetric(at, reading.metric, reading.encoder, reading.fingerprint)
        for at, reading in enumerate(scores, 1)
    )
    values = np.array([[np.nan if reading.value is None else reading.value for reading in scores]])
    labels = {name: np.array([value]) for name, value in answer.scored.labels.items()}
    return RunTable(
        replace(studio_run.run, conditions={}),
        (answer.item.name,),
        (dict(answer.item.slices),),
        metrics,
        values.reshape(1, len(metrics)),
        tuple(int(reading.error is not None) for reading in scores),
        labels,
        int(answer.scored.answer is None),
    )


def _cell(file: RunFile, index: RunIndex, at: int) -> dict[str, Any]:
    outcome = results_at(file, int(index.offsets[at]))
    answer = outcome.deciding.answer
    return {
        "at": at,
        "source": outcome.first.source,
        "prompt": outcome.first.wording,
        "outcome": outcome.outcome,
        "score": outcome.deciding.score,
        "answer": None if answer is None else answer[:600],
        "because": outcome.deciding.verdict.because[:240],
    }
