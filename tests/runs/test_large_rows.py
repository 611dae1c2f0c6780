"""A run of any place copied to another, with its labels; and large runs labelled where they are."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.runs import rows as copying
from sensecheck.runs.find import open_place
from sensecheck.runs.large_place import LargeRunPlace
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import Label
from sensecheck.runs.rows import copy_run
from sensecheck.runs.summary import summary_of, totals_of
from tests.databases import postgresql_database
from tests.ready_tables import make_tables
from tests.runs.large_runs import CARRIED, COUNT, a_run, column, rows

SAID = [Label("q1", "correct", 0.0, "ann"), Label("q1", "correct", 1.0, "bo"), Label("q3", "kind", 2.0)]


@pytest.fixture(
    params=["sqlite", "folder", "parquet", pytest.param("postgresql", marks=pytest.mark.database)]
)
def to(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RunPlace]:
    """An empty place."""
    if request.param == "postgresql":
        with postgresql_database() as address:
            make_tables(address)
            with closing(open_place(address)) as place:
                yield place
        return
    address = str(tmp_path / "evals.sqlite3")
    if request.param == "sqlite":
        make_tables(f"sqlite:///{address}")
    place = open_place(
        address if request.param == "sqlite" else f"{request.param}:{tmp_path / request.param}"
    )
    yield place
    place.close()


def labelled(folder: Path, count: int = 120) -> LargeRunPlace:
    """A large run with a column of labels, and labels that people added later."""
    table = rows(count).append_column("correct", pa.array(np.arange(count) % 2 == 0))
    place = LargeRunPlace(a_run(folder, table, carried=(*CARRIED, "correct")))
    assert place.label(place.run("latest"), SAID) == len(SAID)
    return place


def test_a_large_run_is_labelled_where_it_is_and_nothing_is_changed(tmp_path: Path) -> None:
    place = labelled(tmp_path / "one")
    run = place.run("latest")

    assert place.label(run, SAID) == 0
    with pytest.raises(SampleError, match="says 0 already, and now 1"):
        place.label(run, [Label("q1", "correct", 1.0, "ann")])
    with pytest.raises(SampleError, match="has no question `nowhere`"):
        place.label(run, [Label("nowhere", "correct", 1.0)])
    assert [one for one in place.labels(run) if one in SAID] == SAID
    table = place.table(run)
    at = table.names.index("q1")
    assert table.labels["correct"][at] == pytest.approx(1 / 3)
    assert table.labels["kind"][table.names.index("q3")] == 2.0
    (answer,) = place.answers(run, [at])
    assert answer.scored.labels == {"correct": pytest.approx(1 / 3)}
    assert set(place.outline(run).labels) == {"correct", "kind"}


def test_a_copy_comes_to_the_same_and_has_the_labels_of_all_raters(to: RunPlace, tmp_path: Path) -> None:
    place = labelled(tmp_path / "one")
    run = place.run("latest")
    heard: list[int] = []

    made = copy_run(place, run, to, project="atlas", name="nightly", on_stored=heard.append)

    assert (made.whole, made.test.project, made.name, sum(heard)) == (True, "atlas", "nightly", 120)
    wanted = {one.metric: one for one in summary_of(place, run).totals.metrics}
    for one in totals_of(to, made).metrics:
        same = wanted[one.metric]
        assert (one.n, one.unread, one.unanswered) == (same.n, same.unread, same.unanswered)
        assert one.mean == pytest.approx(same.mean, abs=1e-12)

    def known(label: Label) -> tuple[str, str, str]:
        return label.question, label.name, label.rater

    assert sorted(to.labels(made), key=known) == sorted(place.labels(run), key=known)
    assert to.table(made).slices[1] == place.table(run).slices[1]
    again = copy_run(to, made, to, name="again")
    assert totals_of(to, again) == totals_of(to, made)
    assert sorted(to.labels(again), key=known) == sorted(to.labels(made), key=known)


def test_what_a_place_cannot_take_is_refused_before_anything_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = open_place(f"folder:{tmp_path / 'folder'}")
    bare = LargeRunPlace(a_run(tmp_path / "bare", rows(20), carried=("id",)))
    with pytest.raises(SpecError, match="carries no answers"):
        copy_run(bare, bare.run("latest"), to)
    monkeypatch.setattr(copying, "MAX_ROWS_COPIED", 10)
    with pytest.raises(SpecError, match="has 20 rows; a place takes copies of at most 10"):
        copy_run(bare, bare.run("latest"), to)
    assert to.runs() == []


def test_numbers_come_in_the_order_of_the_inputs(tmp_path: Path) -> None:
    place = LargeRunPlace(a_run(tmp_path / "one", rows()))
    table = place.table(place.run("latest"))
    given = column(rows(), "semantic_similarity")
    found = dict(zip(table.names, table.values[:, 0], strict=True))

    assert table.names[:2] == ("q0", "q2")
    assert all(np.isnan(given[at]) or found[f"q{at}"] == given[at] for at in range(COUNT))
