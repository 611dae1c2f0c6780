"""What an evaluation came to, as people and programs read it.

The metrics of a run are shown the same after an evaluation and ever after; a large run is summed up by what
its files have counted, and no row is looked at.
"""

from typing import TYPE_CHECKING, Any

from rich.text import Text

from sensecheck.cli.console import COLOURS, Paper, safe, show_table
from sensecheck.cli.exit_codes import WORST_FIRST
from sensecheck.cli.tables import counted, cut, interval, metric_name, number
from sensecheck.core.run import Run
from sensecheck.measures.metrics import KNOWN, Part
from sensecheck.runs.summary import NOT_READ, MetricSummary, Totals
from sensecheck.store.address import store_option

if TYPE_CHECKING:  # they bring Arrow along
    from sensecheck.execution.manifest import Manifest
    from sensecheck.tables.aggregates import Aggregates

LONGEST_REASON = 100
MOST_REASONS = 5
MOST_GAPS = 5
MOST_NAMED = 3
"""Metrics that are named in one line; of more, how many they are: the table above has their n/a."""
_QUESTIONS, _ANSWERS = ("question", "questions"), ("answer", "answers")
_PARTS_IN_WORDS: dict[Part, str] = {
    "question": "question",
    "expected": "expected answer",
    "passages": "passages",
}
_NA = "n/a for "
_HEAD = ("metric", "n", "mean", "95 %", "n/a")


def show_totals(paper: Paper, run: Run, totals: Totals, address: str, *, before: int | None) -> None:
    """The table of metrics, what is missing in it and why, and where to see more."""
    show_metrics(paper, totals)
    _show_counts(paper, totals)
    for note in totals.notes:
        paper.say((safe(note), "dim"), label=("note: ", "yellow"))
    where = (
        f"run {run.key}{f' ({safe(run.name)})' if run.name else ''} of the project {safe(run.test.project)}"
    )
    paper.say((f"{where} is kept in {safe(address)}", "dim"))
    named = safe(store_option(address))
    paper.say(("look at it: ", "dim"), (f"sensecheck history show {run.key}{named}", "cyan"))
    if before is not None:
        compare = f"sensecheck history compare {before} {run.key}{named}"
        paper.say(("hold it against the one before: ", "dim"), (compare, "cyan"))


def totals_data(run: Run, totals: Totals, address: str, code: int) -> dict[str, Any]:
    """The same for programs."""
    return {
        "run": run.key,
        "id": run.id,
        "name": run.name,
        "project": run.test.project,
        "test": run.test.name,
        "store": address,
        **totals.to_data(),
        "exit_code": code,
    }


def show_metrics(paper: Paper, totals: Totals, *, quoting: bool = True) -> None:
    """A line a metric, and below why some of its numbers are n/a; errors are quoted if that is wanted."""
    several = len({one.encoder for one in totals.metrics if one.encoder}) > 1
    show_table(paper, _HEAD, [_row(one, several=several) for one in totals.metrics])
    alike: dict[str, list[str]] = {}
    for one in totals.metrics:
        if one.na > one.unanswered:  # who did not answer is shown once, for all metrics
            name = metric_name(one.metric, one.encoder, several=several)
            alike.setdefault(_why(one, quoting=quoting), []).append(name)
    for why, names in alike.items():
        _say_why(paper, why, names)


def show_unanswered(paper: Paper, totals: Totals) -> None:
    """How many questions have no answer, and why."""
    if totals.unanswered:
        why = cut(totals.unanswered_because or "no reason was given", LONGEST_REASON)
        paper.say((f"{totals.unanswered:,} not answered: {why}", "bold magenta"))


def show_manifest(paper: Paper, manifest: "Manifest", address: str) -> None:
    """The metrics and checks, what could not be read and why, and where to see more."""
    from sensecheck.tables.aggregates import Aggregates  # noqa: PLC0415 - it brings Arrow along

    counts = Aggregates.from_data(manifest.aggregates)
    _show_counted_metrics(paper, counts)
    _show_checks(paper, counts)
    errors = f", {counts.errors:,} of them {'is an error' if counts.errors == 1 else 'are errors'}"
    paper.say((counted(counts.rows, "row"), "bold"), (errors if counts.errors else "", "bold magenta"))
    _show_reasons(paper, counts)
    _show_gaps(paper, manifest)
    paper.say((f"the results are in {safe(address)}, as {counted(len(manifest.entries), 'file')}", "dim"))
    paper.say(("look at them: ", "dim"), (f"sensecheck results summary {safe(address)}", "cyan"))


def manifest_data(manifest: "Manifest", address: str, code: int) -> dict[str, Any]:
    """The same for programs."""
    from sensecheck.tables.aggregates import Aggregates  # noqa: PLC0415 - it brings Arrow along

    counts = Aggregates.from_data(manifest.aggregates)
    return {
        "out": address,
        "fingerprint": manifest.fingerprint,
        "rows": counts.rows,
        "errors": counts.errors,
        "files": len(manifest.entries),
        "metrics": {
            name: {
                "n": one.numbers.count,
                "mean": _mean(one.numbers.count, one.numbers.mean),
                "na": one.nulls,
            }
            for name, one in counts.metrics.items()
        },
        "checks": {name: dict(one.outcomes) for name, one in counts.checks.items()},
        "reasons": dict(counts.reasons),
        "gaps": [{"input": gap.input, "because": gap.because} for gap in manifest.gaps],
        "exit_code": code,
    }


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
    wrong = f": {cut(one.because or '', LONGEST_REASON)}" if one.unread and quoting else ""
    reasons = (f"{count:,} {why}{wrong if why == NOT_READ else ''}" for why, count in one.missing.items())
    blank = f" (mean {number(one.mean_blank_as_0)} with 0 for them)" if one.nothing and one.n else ""
    return f"{_NA}{one.na:,}: {'; '.join(reasons)}{blank}"


def _lacks(count: int, wants: tuple[Part, ...]) -> str:
    """What so many questions do not have; of passages those count that an answer was given."""
    who = _ANSWERS if "passages" in wants else _QUESTIONS
    parts = " or ".join(_PARTS_IN_WORDS[part] for part in wants)
    return f"{count:,} {who[count != 1]} {'has' if count == 1 else 'have'} no {parts}"


def _say_why(paper: Paper, why: str, names: list[str]) -> None:
    """One line for all metrics that lack as much for the same reason."""
    named = f"{len(names)} metrics" if len(names) > MOST_NAMED else ", ".join(names)
    if why.startswith(_NA):
        paper.say((f"{named}: ", "bold"), (why, "magenta" if NOT_READ in why else "dim"), indent=2)
        return
    do = "does" if len(names) == 1 else "do"
    them = "it" if why.startswith("1 ") else "them"
    paper.say((f"{why}: {named} {do} not apply to {them}", "dim"), indent=2)


def _show_counts(paper: Paper, totals: Totals) -> None:
    answered = f"{counted(totals.questions, 'question')}, {totals.answered:,} answered"
    paper.say(
        (answered, "bold"), (f", {totals.unread:,} readings failed" if totals.unread else "", "magenta")
    )
    show_unanswered(paper, totals)


def _show_counted_metrics(paper: Paper, counts: "Aggregates") -> None:
    rows: list[list[str | Text]] = [
        [
            safe(name),
            f"{one.numbers.count:,}",
            Text(number(_mean(one.numbers.count, one.numbers.mean)), "bold"),
            number(one.numbers.deviation) if one.numbers.count > 1 else "",
            Text(f"{one.nulls:,}" if one.nulls else "", "magenta" if one.failed else "dim"),
        ]
        for name, one in counts.metrics.items()
    ]
    if rows:
        show_table(paper, ("metric", "n", "mean", "sd", "n/a"), rows)


def _show_checks(paper: Paper, counts: "Aggregates") -> None:
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
        show_table(paper, ("check", *words), rows)


def _show_reasons(paper: Paper, counts: "Aggregates") -> None:
    for because, rows in list(counts.reasons.items())[:MOST_REASONS]:
        paper.say((cut(because, LONGEST_REASON), "magenta"), label=(f"{rows:>9,}  ", "magenta"))
    if len(counts.reasons) > MOST_REASONS:
        paper.say(("and others", "dim"), indent=11)


def _show_gaps(paper: Paper, manifest: "Manifest") -> None:
    for gap in manifest.gaps[:MOST_GAPS]:
        reason = f"{safe(gap.input)}: {cut(gap.because, LONGEST_REASON)}"
        paper.say((reason, "magenta"), label=("not read ", "bold magenta"))
    if len(manifest.gaps) > MOST_GAPS:
        paper.say((f"and {len(manifest.gaps) - MOST_GAPS:,} other parts of the inputs", "dim"))


def _mean(count: int, mean: float) -> float | None:
    return mean if count else None
