"""What an evaluation came to, as people read it.

The metrics of a run are shown the same after an evaluation and ever after; a large run is summed up by what
its files have counted, and no row is looked at.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from sensecheck.cli.console import COLOURS, Console, safe, show_table
from sensecheck.cli.exit_codes import WORST_FIRST
from sensecheck.cli.store import store_needed
from sensecheck.cli.tables import counted, cut, interval, metric_name, number
from sensecheck.evaluation.result import EvaluationResult
from sensecheck.measures.metrics import KNOWN, Part
from sensecheck.runs.summary import NOT_READ, MetricSummary, Totals

if TYPE_CHECKING:  # they bring Arrow and the store along
    from sensecheck.evaluation.database import StoredEvaluation
    from sensecheck.evaluation.large import ParquetEvaluation
    from sensecheck.execution.manifest import Manifest
    from sensecheck.tables.aggregates import Aggregates

MAX_REASON_CHARS = 100
MAX_REASONS = 5
MAX_GAPS = 5
MAX_NAMED = 3
"""Metrics that are named in one line; of more, how many they are: the table above has their n/a."""
_QUESTIONS, _ANSWERS = ("question", "questions"), ("answer", "answers")
_PARTS_IN_WORDS: dict[Part, str] = {
    "question": "question",
    "expected": "expected answer",
    "passages": "passages",
}
_NA = "n/a for "
_HEAD = ("metric", "n", "mean", "95 %", "n/a")


def show_evaluation(console: Console, result: EvaluationResult) -> None:
    """What an evaluation came to, wherever it is stored, and where to see more."""
    from sensecheck.evaluation.database import StoredEvaluation  # noqa: PLC0415 - it brings the store along

    if isinstance(result, StoredEvaluation):
        _show_stored(console, result)
        return
    from sensecheck.evaluation.large import ParquetEvaluation  # noqa: PLC0415 - it brings Arrow along

    if isinstance(result, ParquetEvaluation):
        _show_parquet(console, result)


def show_metrics(console: Console, totals: Totals, *, quoting: bool = True) -> None:
    """A line a metric, and below why some of its numbers are n/a; errors are quoted if that is wanted."""
    several = len({one.encoder for one in totals.metrics if one.encoder}) > 1
    show_table(console, _HEAD, [_row(one, several=several) for one in totals.metrics])
    alike: dict[str, list[str]] = {}
    for one in totals.metrics:
        if one.na > one.unanswered:  # who did not answer is shown once, for all metrics
            name = metric_name(one.metric, one.encoder, several=several)
            alike.setdefault(_why(one, quoting=quoting), []).append(name)
    for why, names in alike.items():
        _say_why(console, why, names)


def show_unanswered(console: Console, totals: Totals) -> None:
    """How many questions have no answer, and why."""
    if totals.unanswered:
        why = cut(totals.unanswered_because or "no reason was given", MAX_REASON_CHARS)
        console.line((f"{totals.unanswered:,} not answered: {why}", "bold magenta"))


def _show_stored(console: Console, result: "StoredEvaluation") -> None:
    """The table of metrics, what is missing in it and why."""
    run, totals = result.run, result.totals
    show_metrics(console, totals)
    _show_counts(console, totals)
    for note in totals.notes:
        console.line((safe(note), "dim"), label=("note: ", "yellow"))
    where = (
        f"run {run.key}{f' ({safe(run.name)})' if run.name else ''} of the project {safe(run.test.project)}"
    )
    console.line((f"{where} is stored in {safe(result.address)}", "dim"))
    named = safe(store_needed(run.key, result.address))
    console.line(("look at it: ", "dim"), (f"sensecheck runs show {run.key}{named}", "cyan"))
    if result.previous_run is not None:
        compare = f"sensecheck runs compare {result.previous_run} {run.key}{named}"
        console.line(("compare it with the run before: ", "dim"), (compare, "cyan"))


def _show_parquet(console: Console, result: "ParquetEvaluation") -> None:
    """The metrics and checks, and what could not be read and why."""
    counts, manifest, address = result.counts, result.manifest, safe(result.address)
    _show_counted_metrics(console, counts, result.means)
    _show_checks(console, counts)
    errors = f", {counts.errors:,} of them {'is an error' if counts.errors == 1 else 'are errors'}"
    console.line((counted(counts.rows, "row"), "bold"), (errors if counts.errors else "", "bold magenta"))
    _show_reasons(console, counts)
    _show_gaps(console, manifest)
    console.line((f"the results are in {address}, as {counted(len(manifest.entries), 'file')}", "dim"))
    console.line(("look at them: ", "dim"), (f"sensecheck runs show {address}", "cyan"))


def _row(one: MetricSummary, *, several: bool) -> list[str | Text]:
    return [
        metric_name(one.metric, one.encoder, several=several),
        f"{one.n:,}",
        Text(number(one.mean), "bold"),
        interval(one.low, one.high),
        Text(f"{one.na:,}" if one.na else "", "magenta" if one.unread else "dim"),
    ]


def _why(one: MetricSummary, *, quoting: bool) -> str:
    """Every reason with its count; of readings that failed, what was most often wrong."""
    if one.na == one.unanswered + one.inapplicable and one.metric in KNOWN:
        return _lacks(one.inapplicable, KNOWN[one.metric].wants)
    wrong = f": {cut(one.because or '', MAX_REASON_CHARS)}" if one.unread and quoting else ""
    reasons = (f"{count:,} {why}{wrong if why == NOT_READ else ''}" for why, count in one.missing.items())
    blank = f" (mean {number(one.mean_blank_as_0)} with 0 for them)" if one.nothing and one.n else ""
    return f"{_NA}{one.na:,}: {'; '.join(reasons)}{blank}"


def _lacks(count: int, wants: tuple[Part, ...]) -> str:
    """What so many questions do not have; of passages those count that an answer was given."""
    who = _ANSWERS if "passages" in wants else _QUESTIONS
    parts = " or ".join(_PARTS_IN_WORDS[part] for part in wants)
    return f"{count:,} {who[count != 1]} {'has' if count == 1 else 'have'} no {parts}"


def _say_why(console: Console, why: str, names: list[str]) -> None:
    """One line for all metrics that lack as much for the same reason."""
    named = f"{len(names)} metrics" if len(names) > MAX_NAMED else ", ".join(names)
    if why.startswith(_NA):
        console.line((f"{named}: ", "bold"), (why, "magenta" if NOT_READ in why else "dim"), indent=2)
        return
    do = "does" if len(names) == 1 else "do"
    them = "it" if why.startswith("1 ") else "them"
    console.line((f"{why}: {named} {do} not apply to {them}", "dim"), indent=2)


def _show_counts(console: Console, totals: Totals) -> None:
    answered = f"{counted(totals.questions, 'question')}, {totals.answered:,} answered"
    console.line(
        (answered, "bold"), (f", {totals.unread:,} readings failed" if totals.unread else "", "magenta")
    )
    show_unanswered(console, totals)


def _show_counted_metrics(console: Console, counts: "Aggregates", means: Mapping[str, float | None]) -> None:
    rows: list[list[str | Text]] = [
        [
            safe(name),
            f"{one.numbers.count:,}",
            Text(number(means[name]), "bold"),
            number(one.numbers.deviation) if one.numbers.count > 1 else "",
            Text(f"{one.nulls:,}" if one.nulls else "", "magenta" if one.failed else "dim"),
        ]
        for name, one in counts.metrics.items()
    ]
    if rows:
        show_table(console, ("metric", "n", "mean", "sd", "n/a"), rows)


def _show_checks(console: Console, counts: "Aggregates") -> None:
    words = [
        word
        for word in reversed(WORST_FIRST)
        if any(one.outcomes.get(word) for one in counts.checks.values())
    ]
    rows: list[list[str | Text]] = [
        [safe(name), *(Text(f"{one.outcomes.get(word, 0):,}", COLOURS[word]) for word in words)]
        for name, one in counts.checks.items()
    ]
    if rows:
        show_table(console, ("check", *words), rows)


def _show_reasons(console: Console, counts: "Aggregates") -> None:
    for because, rows in list(counts.reasons.items())[:MAX_REASONS]:
        console.line((cut(because, MAX_REASON_CHARS), "magenta"), label=(f"{rows:>9,}  ", "magenta"))
    if len(counts.reasons) > MAX_REASONS:
        console.line(("and others", "dim"), indent=11)


def _show_gaps(console: Console, manifest: "Manifest") -> None:
    for gap in manifest.gaps[:MAX_GAPS]:
        reason = f"{safe(gap.input)}: {cut(gap.because, MAX_REASON_CHARS)}"
        console.line((reason, "magenta"), label=("not read ", "bold magenta"))
    if len(manifest.gaps) > MAX_GAPS:
        console.line((f"and {len(manifest.gaps) - MAX_GAPS:,} other parts of the inputs", "dim"))
