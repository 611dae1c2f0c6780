"""A kept run as one page to look through: one file, which wants a browser and fetches nothing."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sensecheck.core.packed_page import blob, built_page, json_bytes
from sensecheck.core.whole_file import whole_file
from sensecheck.evals.qa.report.chosen import MOST
from sensecheck.evals.qa.report.page_data import Besides, PageData
from sensecheck.evals.qa.report.reached import reached_in
from sensecheck.evals.qa.totals import errors_of
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.records import Run
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
    before, after = built_page("sensecheck.evals.qa.report", "evals_page.html")
    with whole_file(path) as file:
        file.write(before)
        for element in _elements(store, table, besides or Besides(), most):
            file.write(element)
        file.write(after)


def _elements(store: EvalStore, table: RunTable, besides: Besides, most: int) -> Iterator[str]:
    """The texts first, pack by pack, so that no more than one of them is held; the index last."""
    reached, errors = reached_in(store, table), errors_of(store, table)
    page = PageData.of(table, besides, most=most, reached=reached, errors=errors)
    pairs = page.pairs(store.answers(table.run, page.shown.positions.tolist()))
    for pack in _packs(pairs):
        yield blob("pairs", json_bytes(pack))
    yield blob("index", json_bytes(page.index() | {"pack": PACK}))


def _packs(pairs: Iterator[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    while pack := list(islice(pairs, PACK)):
        yield pack
