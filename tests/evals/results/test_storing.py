"""A large run brought into the store of evaluations."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs import large_rows as storing
from sensecheck.runs.large_rows import keep_in_store
from sensecheck.runs.large_summary import summary_of
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.sql_read import RunTable
from sensecheck.runs.summary import totals_of
from tests.databases import postgresql_database
from tests.evals.results.made import COUNT, a_run, column, rows
from tests.ready_tables import make_tables

pytestmark = pytest.mark.database


@contextmanager
def a_store(kind: str, folder: Path) -> Iterator[EvalStore]:
    if kind == "sqlite":
        store = EvalStore.open(str(folder / "evals.sqlite3"))
        yield store
        store.close()
        return
    with postgresql_database() as address:
        make_tables(address)
        store = EvalStore.open(address)
        yield store
        store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_its_history_tells_what_its_summary_tells(kind: str, tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows())
    heard: list[int] = []
    with a_store(kind, tmp_path) as store:
        kept = keep_in_store(
            run, store, project="atlas", name="nightly", slices=("topic",), on_kept=heard.append
        )
        table, totals = store.table(kept), totals_of(store, kept)

    assert (kept.whole, kept.test.project, kept.name, sum(heard)) == (True, "atlas", "nightly", COUNT)
    wanted = {one.metric: one for one in summary_of(run).totals.metrics}
    for one in totals.metrics:
        same = wanted[one.metric]
        assert (one.n, one.unread, one.unanswered, one.inapplicable) == (
            same.n,
            same.unread,
            same.unanswered,
            same.inapplicable,
        )
        assert one.mean == pytest.approx(same.mean, abs=1e-12)
    numbers = dict(zip(table.names, column_of(table, "semantic_similarity"), strict=True))
    given = column(rows(), "semantic_similarity")
    assert all(np.isnan(given[at]) or numbers[f"q{at}"] == given[at] for at in range(COUNT))
    assert table.slices[table.names.index("q3")] == {"topic": "odd"}


def column_of(table: RunTable, name: str) -> list[float]:
    found = table.column(name)
    assert found is not None
    return [float(one) for one in found]


def test_what_a_store_cannot_take_is_refused_before_anything_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_store("sqlite", tmp_path) as store:
        bare = a_run(tmp_path / "bare", rows(20), carried=("id",))
        with pytest.raises(SpecError, match="carries no answers"):
            keep_in_store(bare, store, project="atlas")
        monkeypatch.setattr(storing, "MOST", 10)
        with pytest.raises(SpecError, match="has 20 rows; a store takes runs of at most 10"):
            keep_in_store(bare, store, project="atlas")
        assert store.runs() == []
