"""What an evaluation came to, on paper and as data."""

from dataclasses import asdict
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from sensecheck.cli.paint import Paper, safe
from sensecheck.evals.qa.totals import MetricTotal, Totals
from sensecheck.store.records import Run

LONGEST_REASON = 100
_HEAD = ("metric", "n", "mean", "95 %", "n/a")
_GAP = "  "


def show_totals(paper: Paper, run: Run, totals: Totals, address: str, *, is_first: bool) -> None:
    """The table of metrics, what is missing in it and why, and where to see more."""
    several = len({one.encoder for one in totals.metrics if one.encoder}) > 1
    _show_table(paper, [_row(one, several=several) for one in totals.metrics])
    for one in totals.metrics:
        if one.missing:
            read = f"n/a for {_counted(one.missing, 'answer')}: {_short(one.because)}"
            style = "magenta" if one.unread else "dim"
            paper.say((f"{_name(one, several=several)}: ", "bold"), (read, style), indent=2)
    _show_counts(paper, totals)
    where = (
        f"run {run.key}{f' ({safe(run.name)})' if run.name else ''} of the project {safe(run.test.project)}"
    )
    paper.say((f"{where} is kept in {safe(address)}", "dim"))
    paper.say(("look at it: ", "dim"), (f"sensecheck history show {run.key}", "cyan"))
    if not is_first:
        compare = f"sensecheck history compare previous {run.key}"
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
        **asdict(totals),
        "exit_code": code,
    }


def _row(one: MetricTotal, *, several: bool) -> list[Text]:
    interval = "" if one.low is None or one.high is None else f"{one.low:.3f} to {one.high:.3f}"
    return [
        Text(_name(one, several=several)),
        Text(f"{one.n:,}"),
        Text("n/a" if one.mean is None else f"{one.mean:.3f}", "bold"),
        Text(interval),
        Text(f"{one.missing:,}" if one.missing else "", "magenta" if one.unread else "dim"),
    ]


def _show_table(paper: Paper, rows: list[list[Text]]) -> None:
    """The first column to the left, numbers to the right; as wide as it is, also where no terminal is."""
    lines = [[Text(word, "bold") for word in _HEAD], *rows]
    widths = [max(cell_len(line[at].plain) for line in lines) for at in range(len(_HEAD))]
    for name, *numbers in lines:
        name.pad_right(widths[0] - cell_len(name.plain))
        for number, width in zip(numbers, widths[1:], strict=True):
            number.pad_left(width - cell_len(number.plain))
        line = Text(_GAP).join([name, *numbers])
        line.rstrip()
        paper.print(line, soft_wrap=True)


def _show_counts(paper: Paper, totals: Totals) -> None:
    told = f"{_counted(totals.questions, 'question')}, {totals.answered:,} answered"
    paper.say((told, "bold"), (f", {totals.unread:,} readings failed" if totals.unread else "", "magenta"))
    if totals.unanswered:
        why = f"{totals.unanswered:,} not answered: {_short(totals.unanswered_because)}"
        paper.say((why, "bold magenta"))


def _name(one: MetricTotal, *, several: bool) -> str:
    return f"{safe(one.metric)} ({safe(one.encoder)})" if several and one.encoder else safe(one.metric)


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _short(reason: str | None) -> str:
    said = safe(reason or "no reason was given")
    return said if len(said) <= LONGEST_REASON else f"{said[:LONGEST_REASON]}…"
