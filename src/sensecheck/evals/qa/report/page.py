"""A kept run as one page to look through: one file, which wants a browser and fetches nothing."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from sensecheck.core.run import Run
from sensecheck.evals.qa.report.chosen import MOST
from sensecheck.evals.qa.report.page_data import Besides, Data, PageData
from sensecheck.evals.qa.report.reached import reached_in
from sensecheck.evals.qa.totals import errors_of
from sensecheck.io.atomic import whole_file
from sensecheck.io.pages import blob, built_page, json_bytes
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.run_reading import RunTable

PACK = 100
"""Pairs whose texts are unpacked together, when somebody opens one of them."""


def write_page(
    store: EvalStore,
    run: Run | RunTable,
    path: Path,
    *,
    besides: Besides | None = None,
    most: int = MOST,
) -> None:
    """Write the page of a run, or of its numbers where they have been read already.

    Its file is there in whole or not at all, and the same for the same run.
    """
    table = run if isinstance(run, RunTable) else store.table(run)
    reached, errors = reached_in(store, table), errors_of(store, table)
    page = PageData.of(table, besides or Besides(), most=most, reached=reached, errors=errors)
    answers = store.answers(table.run, page.shown.positions.tolist())
    write_packed(path, page.pairs(answers), page.index)


def write_packed(path: Path, pairs: Iterator[Data], index: Callable[[], Data]) -> None:
    """Write the texts first, pack by pack, so that no more than one of them is held; the index last."""
    before, after = built_page("sensecheck.evals.qa.report", "evals_page.html")
    with whole_file(path) as file:
        file.write(before)
        for pack in _packs(pairs):
            file.write(blob("pairs", json_bytes(pack)))
        file.write(blob("index", json_bytes({**index(), "pack": PACK})))
        file.write(after)


def _packs(pairs: Iterator[Data]) -> Iterator[list[Data]]:
    while pack := list(islice(pairs, PACK)):
        yield pack
