"""What a large run came to: the same figures as of its rows in memory."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.execution.manifest import Gap
from sensecheck.runs import large_place
from sensecheck.runs.large_place import LargeRunPlace
from sensecheck.runs.parquet import FinishedRun, QueryLimits
from sensecheck.runs.rows import worst_rows
from sensecheck.runs.summary import Distribution, MetricSummary, RunSummary, summary_of
from sensecheck.stats.paired_tests import interval
from tests.runs.large_runs import COUNT, METRICS, NOBODY_READ, a_run, column, rows


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> FinishedRun:
    return a_run(tmp_path_factory.mktemp("runs") / "one", rows())


def told(run: FinishedRun, *, exact: bool | None = None, by: str | None = None) -> RunSummary:
    place = LargeRunPlace(run)
    return summary_of(place, place.run("latest"), exact=exact, by=by)


def each(found: RunSummary) -> list[tuple[MetricSummary, Distribution]]:
    """The metrics in the order in which they were named, each with how it lies."""
    by_name = {one.metric: one for one in found.totals.metrics}
    lie = ((by_name[name], found.of(by_name[name])) for name in METRICS)
    return [(one, how) for one, how in lie if how is not None]


@pytest.mark.parametrize("exact", [True, False], ids=["by its rows", "by its files"])
def test_means_and_what_is_missing_are_those_of_the_rows(run: FinishedRun, exact: bool) -> None:
    found, table = told(run, exact=exact), rows()

    assert (found.totals.questions, found.totals.unanswered, found.exact) == (COUNT, 12, exact)
    for name, (one, how) in zip(METRICS, each(found), strict=True):
        held = column(table, name)
        held = held[~np.isnan(held)]
        low, high = interval(held, confidence=0.95, within=(0, 1))
        assert one.n == len(held)
        assert one.mean == pytest.approx(held.mean(), abs=1e-12)
        assert one.low == pytest.approx(low, abs=1e-9 if exact else 2e-3)
        assert one.high == pytest.approx(high, abs=1e-9 if exact else 2e-3)
        assert (how.least, how.greatest) == (held.min(), held.max())
        assert sum(how.counts) == len(held)
    facts = each(found)[2][0]
    assert (facts.unread, facts.unanswered) == (12, 12)
    assert facts.because == "it broke"
    assert found.totals.unanswered_because == NOBODY_READ


@pytest.mark.parametrize("at_once", [100_000, 64])
def test_quantiles_and_histograms_are_those_of_numpy(
    run: FinishedRun, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_place, "CHUNK_ROWS", at_once)
    table, found = rows(), told(run, exact=True)
    for name, (one, how) in zip(METRICS, each(found), strict=True):
        held = column(table, name)
        held = held[~np.isnan(held)]
        wanted = np.quantile(held, [0.05, 0.25, 0.5, 0.75, 0.95])
        low, high = interval(held, confidence=0.95, within=(0, 1))
        assert list(how.quantiles.values()) == pytest.approx(wanted.tolist(), abs=2e-3)
        assert how.counts == tuple(np.histogram(held, bins=25, range=(0, 1))[0])
        assert (one.low, one.high) == pytest.approx((low, high), abs=1e-9)


def test_quantiles_of_files_are_known_to_a_twentieth(run: FinishedRun) -> None:
    exact, counted = told(run, exact=True), told(run, exact=False)
    for (_, one), (_, other) in zip(each(exact), each(counted), strict=True):
        assert list(one.quantiles.values()) == pytest.approx(list(other.quantiles.values()), abs=0.05)


@pytest.mark.parametrize("exact", [True, False])
def test_a_check_is_the_share_that_passed(run: FinishedRun, exact: bool) -> None:
    passed = int((column(rows(), "semantic_similarity") >= 0.6).sum())
    checks = {one.metric: one for one in told(run, exact=exact).totals.metrics}

    assert (checks["means"].n, checks["means"].unanswered) == (COUNT - 12, 12)
    assert checks["means"].mean == pytest.approx(passed / (COUNT - 12))
    assert checks["means_value"].mean == pytest.approx(np.nanmean(column(rows(), "means_value")))


def test_by_a_column_every_value_has_its_own_figures(run: FinishedRun) -> None:
    found, table = told(run, by="topic"), rows()

    assert [(one.value, one.questions) for one in found.slices] == [("even", 396), ("odd", 198), (None, 6)]
    assert found.others == 0
    inside = np.array(table["topic"].to_pylist()) == "odd"
    odd = column(table, "lexical_aggregate")[inside]
    means = {one.metric: one.mean for one in found.slices[1].metrics}
    assert means["lexical_aggregate"] == pytest.approx(np.nanmean(odd), abs=1e-12)


def test_a_slice_that_is_not_there_is_named_with_those_that_are(run: FinishedRun) -> None:
    with pytest.raises(SpecError, match=r"`topik` is not a known slice .* did you mean `topic`"):
        told(run, by="topik")


def test_the_worst_rows_are_found_in_any_chunk(run: FinishedRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_place, "CHUNK_ROWS", 64)
    place = LargeRunPlace(run)
    semantic = column(rows(), "semantic_similarity")
    wanted = [f"q{at}" for at in np.argsort(semantic)[:5]]

    found = worst_rows(place, place.run("latest"), "semantic_similarity", 5)

    assert [name for name, *_ in found] == wanted
    shown = {
        one.position: one.item.name for one in place.answers(place.run("latest"), [at for *_, at in found])
    }
    assert [shown[at] for *_, at in found] == wanted


def test_a_metric_beyond_0_and_1_is_told_over_its_own_reach(tmp_path: Path) -> None:
    values = np.linspace(-3, 7, 101)
    table = rows(101).drop(["lexical_aggregate"]).append_column("lexical_aggregate", pa.array(values))
    _, found = each(told(a_run(tmp_path / "wide", table)))[1]

    assert (found.least, found.greatest) == (-3, 7)
    assert (found.low, found.high) == (-3, 7)
    assert found.quantiles["50"] == pytest.approx(2, abs=1e-3)


def test_names_that_mean_something_in_sql_are_only_names(tmp_path: Path) -> None:
    table = rows(50)
    odd = 'topic"; DROP TABLE results; --'
    names = [odd if name == "topic" else name for name in table.column_names]
    run = a_run(tmp_path / "it's odd", table.rename_columns(names), carried=("id", odd))

    assert len(told(run, by=odd).slices) == 3


def test_a_run_that_could_read_nothing_says_so(tmp_path: Path) -> None:
    gap = Gap("data/first.jsonl", 0, 100, "its bytes are no Parquet")
    found = told(a_run(tmp_path / "none", rows().slice(0, 0), gaps=[gap]))

    assert found.totals.questions == 0
    assert found.totals.notes == (
        "`data/first.jsonl` from 0 to 100 could not be read: its bytes are no Parquet",
    )
    assert all(one.n == 0 for one in found.totals.metrics)


def test_a_file_that_is_damaged_or_gone_is_named(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows())
    file = tmp_path / "one" / run.manifest.entries[0].name
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(SpecError, match=f"the results cannot be read.*{file.stem}") as damaged:
        told(run)
    assert "SELECT" not in str(damaged.value)
    file.unlink()
    with pytest.raises(SpecError, match=f"the results cannot be read.*{file.stem}"):
        told(run)


def test_too_little_memory_is_refused_with_what_is_wanted() -> None:
    with pytest.raises(SpecError, match="at least 64 MB; got 3"):
        QueryLimits(3)
