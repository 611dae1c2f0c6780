"""What a large run came to: the same figures as of its rows in memory."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.execution.manifest import Gap
from sensecheck.runs.large_summary import RunSummary, summary_of
from sensecheck.runs.parquet import FinishedRun, QueryLimits
from sensecheck.stats.paired_tests import interval
from tests.runs.large_runs import BROKE, COUNT, METRICS, NOBODY_READ, a_run, column, rows


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> FinishedRun:
    return a_run(tmp_path_factory.mktemp("runs") / "one", rows())


def told(run: FinishedRun, *, exact: bool) -> RunSummary:
    return summary_of(run, exact=exact)


@pytest.mark.parametrize("exact", [True, False], ids=["by its rows", "by its files"])
def test_means_and_what_is_missing_are_those_of_the_rows(run: FinishedRun, exact: bool) -> None:
    found, table = told(run, exact=exact), rows()

    assert (found.rows, found.errors, found.exact) == (COUNT, 24, exact)
    for name, one in zip(METRICS, found.metrics, strict=True):
        held = column(table, name)
        held = held[~np.isnan(held)]
        low, high = interval(held, confidence=0.95, within=(0, 1))
        assert one.summary.n == len(held)
        assert one.summary.mean == pytest.approx(held.mean(), abs=1e-12)
        assert one.summary.low == pytest.approx(low, abs=1e-9 if exact else 2e-3)
        assert one.summary.high == pytest.approx(high, abs=1e-9 if exact else 2e-3)
        assert (one.least, one.greatest) == (held.min(), held.max())
        assert sum(one.spread.counts) == len(held)
    facts = found.metrics[2].summary
    assert (facts.unread, facts.unanswered) == (12, 12)
    assert facts.because == "it broke"
    assert found.totals.unanswered_because == NOBODY_READ


def test_quantiles_and_histograms_are_those_of_numpy(run: FinishedRun) -> None:
    table, found = rows(), told(run, exact=True)
    for name, one in zip(METRICS, found.metrics, strict=True):
        held = column(table, name)
        held = held[~np.isnan(held)]
        wanted = np.quantile(held, [0.05, 0.25, 0.5, 0.75, 0.95])
        assert list(one.quantiles.values()) == pytest.approx(wanted.tolist(), abs=2e-3)
        assert one.spread.counts == tuple(np.histogram(held, bins=25, range=(0, 1))[0])


def test_quantiles_of_files_are_known_to_a_twentieth(run: FinishedRun) -> None:
    exact, told_by_files = told(run, exact=True), told(run, exact=False)
    for one, other in zip(exact.metrics, told_by_files.metrics, strict=True):
        assert list(one.quantiles.values()) == pytest.approx(list(other.quantiles.values()), abs=0.05)


@pytest.mark.parametrize("exact", [True, False])
def test_checks_are_told_by_their_outcomes_and_errors_by_their_reasons(run: FinishedRun, exact: bool) -> None:
    found = told(run, exact=exact)
    passed = int((column(rows(), "semantic_similarity") >= 0.6).sum())

    (check,) = found.checks
    assert check.outcomes == {"error": 12, "fail": COUNT - 12 - passed, "pass": passed}
    assert [tuple(one) for one in found.reasons] == [(BROKE, 12), (NOBODY_READ, 12)]


def test_by_a_column_every_value_has_its_own_figures(run: FinishedRun) -> None:
    found, table = summary_of(run, by="topic"), rows()

    assert [(one.value, one.rows) for one in found.slices] == [("even", 396), ("odd", 198), (None, 6)]
    assert found.others == 0
    inside = np.array(table["topic"].to_pylist()) == "odd"
    odd = column(table, "lexical_aggregate")[inside]
    assert found.slices[1].metrics[1].mean == pytest.approx(np.nanmean(odd), abs=1e-12)


def test_a_column_that_is_not_carried_is_named_with_those_that_are(run: FinishedRun) -> None:
    with pytest.raises(SpecError, match=r"`topik` is not a known column .* did you mean `topic`"):
        summary_of(run, by="topik")


def test_a_metric_beyond_0_and_1_is_told_over_its_own_reach(tmp_path: Path) -> None:
    values = np.linspace(-3, 7, 101)
    table = rows(101).drop(["lexical_aggregate"]).append_column("lexical_aggregate", pa.array(values))
    found = summary_of(a_run(tmp_path / "wide", table)).metrics[1]

    assert (found.least, found.greatest) == (-3, 7)
    assert (found.spread.low, found.spread.high) == (-3, 7)
    assert found.quantiles["50"] == pytest.approx(2, abs=1e-3)


def test_names_that_mean_something_in_sql_are_only_names(tmp_path: Path) -> None:
    table = rows(50)
    odd = 'topic"; DROP TABLE results; --'
    names = [odd if name == "topic" else name for name in table.column_names]
    run = a_run(tmp_path / "it's odd", table.rename_columns(names), carried=("id", odd))

    assert len(summary_of(run, by=odd).slices) == 3


def test_a_run_that_could_read_nothing_says_so(tmp_path: Path) -> None:
    gap = Gap("data/first.jsonl", 0, 100, "its bytes are no Parquet")
    found = summary_of(a_run(tmp_path / "none", rows().slice(0, 0), gaps=[gap]))

    assert (found.rows, found.gaps) == (0, (gap,))
    assert all(one.summary.n == 0 for one in found.metrics)
    with pytest.raises(SpecError, match="has no rows"):
        summary_of(a_run(tmp_path / "none", rows().slice(0, 0), gaps=[gap]), by="topic")


def test_a_file_that_is_damaged_or_gone_is_named(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows())
    file = tmp_path / "one" / run.manifest.entries[0].name
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(SpecError, match=f"the results cannot be read.*{file.stem}") as damaged:
        summary_of(run)
    assert "SELECT" not in str(damaged.value)
    file.unlink()
    with pytest.raises(SpecError, match=f"the results cannot be read.*{file.stem}"):
        summary_of(run)


def test_too_little_memory_is_refused_with_what_is_wanted() -> None:
    with pytest.raises(SpecError, match="at least 64 MB; got 3"):
        QueryLimits(3)
