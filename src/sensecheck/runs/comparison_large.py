"""Two large runs compared row by row, by sums over all rows that both have."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from sensecheck.core.errors import SpecError
from sensecheck.core.run import RunBrief
from sensecheck.runs.comparison_result import ComparedRuns, Comparison, Gone, comparison_of
from sensecheck.runs.pairing_large import (
    AFTER,
    BEFORE,
    CommonNumbers,
    RowPairing,
    RowPairs,
)
from sensecheck.runs.parquet import FinishedRun, QueryLimits, tables
from sensecheck.runs.shift_large import LargePairs


def compare_large(
    before: FinishedRun,
    after: FinishedRun,
    *,
    key: str | None = None,
    by: Sequence[str] | None = None,
    metric: str | None = None,
    alpha: float = 0.05,
    limits: QueryLimits | None = None,
) -> Comparison:
    """Compare a large run with an earlier one.

    Rows are paired by the column `key`; without it by their id, or by their place in the same inputs.
    """
    slices = tuple(after.require_column(column) for column in dict.fromkeys(by or ()))
    pairing, common = RowPairing.of(before, after, key), CommonNumbers.of(before, after)
    bounds, rows = limits or QueryLimits(), max(before.manifest.rows, after.manifest.rows)
    with (
        TemporaryDirectory(prefix="sensecheck-", dir=bounds.spill) as spill,
        tables({BEFORE: before, AFTER: after}, bounds, file=Path(spill) / "pairs.duckdb") as connection,
    ):
        paired = RowPairs(connection, pairing, common.expressions, slices)
        counts = paired.pair((before.address, after.address), rows, Path(spill))
        if not counts.n:
            raise SpecError(_nothing_in_common(before, after, pairing))
        compared = ComparedRuns(
            before=_brief(before),
            after=_brief(after),
            items="row",
            paired_by=pairing.description,
            only_before=counts.only_before,
            only_after=counts.only_after,
            removed=counts.before - counts.n,
            added=counts.after - counts.n,
            gone=tuple(Gone(name, "") for name in common.only_before),
            notes=tuple(_notes(before, after, common, (counts.before, counts.after))),
            encoder=after.plan.readers.get("encoder", ""),
        )
        pairs = LargePairs(connection, pairing, common.columns, counts.n, slices)
        return comparison_of(pairs, compared, alpha=alpha, metric=metric, by=slices)


def _brief(run: FinishedRun) -> RunBrief:
    name, rows = run.address.rstrip("/").rpartition("/")[2], run.manifest.rows
    return RunBrief(run.address, run.manifest.fingerprint, "", "", name, "", rows, rows)


def _nothing_in_common(before: FinishedRun, after: FinishedRun, pairing: RowPairing) -> str:
    message = f"`{before.address}` and `{after.address}` have no row in common"
    return f"{message}: rows are known by {pairing.description}; name another column with `--key`"


def _notes(
    before: FinishedRun, after: FinishedRun, common: CommonNumbers, keyed: tuple[int, int]
) -> Iterator[str]:
    for run, keyed_rows in zip((before, after), keyed, strict=True):
        if run.manifest.gaps:
            yield f"{len(run.manifest.gaps):,} parts of the inputs of `{run.address}` could not be read"
        if missing := run.manifest.rows - keyed_rows:
            yield f"{missing:,} rows of `{run.address}` have nothing to be known by, so they are not compared"
    readers = sorted({*before.plan.readers, *after.plan.readers})
    changed = [who for who in readers if before.plan.readers.get(who) != after.plan.readers.get(who)]
    if changed:
        yield f"the runs differ in: {_listed(changed)}"
    for when, lone in (("before", common.only_before), ("now", common.only_after)):
        if lone:
            yield f"only {when}, or computed by others, so not compared: {_listed(lone)}"
    checks = [column.metric for column in common.columns if column.metric in after.checks]
    if checks:
        yield f"of a check, the share that passed is compared: {_listed(checks)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
