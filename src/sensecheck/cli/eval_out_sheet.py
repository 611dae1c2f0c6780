"""What a large run came to in brief, told by what its files have counted: no row is looked at."""

from typing import Any

from rich.text import Text

from sensecheck.cli.history_table import counted, cut, number
from sensecheck.cli.outcomes import WORST_FIRST
from sensecheck.cli.paint import COLOURS, Paper, safe, show_table
from sensecheck.evals.shards.manifest import Manifest
from sensecheck.evals.tables.aggregates import Aggregates

LONGEST_REASON = 100
MOST_REASONS = 5
MOST_GAPS = 5


def show_manifest(paper: Paper, manifest: Manifest, address: str) -> None:
    """The metrics and checks, what could not be read and why, and where to see more."""
    told = Aggregates.from_data(manifest.aggregates)
    _show_metrics(paper, told)
    _show_checks(paper, told)
    errors = f", {told.errors:,} of them {'is an error' if told.errors == 1 else 'are errors'}"
    paper.say((counted(told.rows, "row"), "bold"), (errors if told.errors else "", "bold magenta"))
    _show_reasons(paper, told)
    _show_gaps(paper, manifest)
    paper.say((f"the results are in {safe(address)}, as {counted(len(manifest.entries), 'file')}", "dim"))
    paper.say(("look at them: ", "dim"), (f"sensecheck results summary {safe(address)}", "cyan"))


def manifest_data(manifest: Manifest, address: str, code: int) -> dict[str, Any]:
    """The same for programs."""
    told = Aggregates.from_data(manifest.aggregates)
    return {
        "out": address,
        "fingerprint": manifest.fingerprint,
        "rows": told.rows,
        "errors": told.errors,
        "files": len(manifest.entries),
        "metrics": {
            name: {
                "n": one.numbers.count,
                "mean": _mean(one.numbers.count, one.numbers.mean),
                "na": one.nulls,
            }
            for name, one in told.metrics.items()
        },
        "checks": {name: dict(one.outcomes) for name, one in told.checks.items()},
        "reasons": dict(told.reasons),
        "gaps": [{"input": gap.input, "because": gap.because} for gap in manifest.gaps],
        "exit_code": code,
    }


def _show_metrics(paper: Paper, told: Aggregates) -> None:
    rows: list[list[str | Text]] = [
        [
            safe(name),
            f"{one.numbers.count:,}",
            Text(number(_mean(one.numbers.count, one.numbers.mean)), "bold"),
            number(one.numbers.deviation) if one.numbers.count > 1 else "",
            Text(f"{one.nulls:,}" if one.nulls else "", "magenta" if one.failed else "dim"),
        ]
        for name, one in told.metrics.items()
    ]
    if rows:
        show_table(paper, ("metric", "n", "mean", "sd", "n/a"), rows)


def _show_checks(paper: Paper, told: Aggregates) -> None:
    words = [
        word for word in reversed(WORST_FIRST) if any(one.outcomes.get(word) for one in told.checks.values())
    ]
    rows: list[list[str | Text]] = [
        [safe(name), *(Text(f"{one.outcomes.get(word, 0):,}", COLOURS[word]) for word in words)]
        for name, one in told.checks.items()
    ]
    if rows:
        show_table(paper, ("check", *words), rows)


def _show_reasons(paper: Paper, told: Aggregates) -> None:
    for because, rows in list(told.reasons.items())[:MOST_REASONS]:
        paper.say((cut(because, LONGEST_REASON), "magenta"), label=(f"{rows:>9,}  ", "magenta"))
    if len(told.reasons) > MOST_REASONS:
        paper.say(("and others", "dim"), indent=11)


def _show_gaps(paper: Paper, manifest: Manifest) -> None:
    for gap in manifest.gaps[:MOST_GAPS]:
        told = f"{safe(gap.input)}: {cut(gap.because, LONGEST_REASON)}"
        paper.say((told, "magenta"), label=("not read ", "bold magenta"))
    if len(manifest.gaps) > MOST_GAPS:
        paper.say((f"and {len(manifest.gaps) - MOST_GAPS:,} other parts of the inputs", "dim"))


def _mean(count: int, mean: float) -> float | None:
    return mean if count else None
