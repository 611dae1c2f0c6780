"""Guarded queries as text, JSON lines or blocks for prompts."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.text import Text

from sensecheck.cli.console import COLOURS, Console, quoted, safe, write_line
from sensecheck.cli.progress import bar
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.datasets.streams import count_lines
from sensecheck.io.atomic import whole_file
from sensecheck.retrieval.guard import GuardedQuery, GuardTally
from sensecheck.retrieval.selection import Selection

_LABEL_WIDTH = 19
_MARKS = {
    "+": COLOURS["pass"],
    "-": COLOURS["fail"],
    "?": COLOURS["error"],
    "~": COLOURS["unsure"],
}
"""How a line about a match begins, and its colour; the mark itself is always there."""
Write = Callable[[str], None]


def guard_progress(queries: Iterable[GuardedQuery], path: str, *, hidden: bool) -> Iterator[GuardedQuery]:
    """The same, with a bar on standard error while they come, if that is a terminal."""
    with bar(hidden=hidden) as progress:
        task = progress.add_task("guarding", total=count_lines(path))
        for guarded in queries:
            yield guarded
            progress.advance(task)


@contextmanager
def writing(path: Path | None) -> Iterator[Write]:
    """What writes a line; a file is complete at the end, or not there at all."""
    if path is None:
        yield write_line
        return
    if str(path) == "-":
        raise SpecError("`-o` must be a file; got `-`; without it, standard output is written to")
    with whole_file(path, errors="backslashreplace") as file:
        yield lambda line: print(line, file=file)


def write_guarded(
    guarded: GuardedQuery, block: Callable[[Selection], str] | None, write: Write, *, as_json: bool
) -> None:
    """One query: as data, or as the block that goes into its prompt.

    A bare block that cannot be made is raised: an empty file would mean that nothing was kept.
    """
    if block is None:
        write(_json(guarded.to_data()))
    elif isinstance(guarded.result, Selection):
        text = block(guarded.result)
        if as_json:
            write(_json({**guarded.named, "query": guarded.row.query, "prompt": text}))
        elif text:
            write(f"{text}\n")
    elif as_json:
        write(_json(guarded.to_data()))
    else:
        raise CannotJudge(f"{guarded.row.where}: {guarded.result}") from guarded.result


def show_guarded(console: Console, guarded: GuardedQuery) -> None:
    """The query, what came of it line by line, and a gap."""
    named = "" if guarded.row.id is None else f"{safe(str(guarded.row.id))}: "
    console.line((quoted(guarded.row.query), "bold"), label=(named, "bold"))
    if isinstance(guarded.result, Selection):
        for line in guarded.result.explain().split("\n"):
            _show_line(console, line)
    else:
        console.line(safe(str(guarded.result)), label=("error: ", COLOURS["error"]), indent=2)
    console.line("")


def show_tally(console: Console, tally: GuardTally) -> None:
    """A line for each thing that can be counted."""
    for label, text in _lines(tally):
        console.line(text, label=(f"{label:<{_LABEL_WIDTH}}", "bold"))


def _lines(tally: GuardTally) -> Iterator[tuple[str, Text]]:
    errors = Text(f", {tally.errors:,} error{'s' * (tally.errors > 1)}", COLOURS["error"])
    yield "queries", Text(f"{tally.queries:,}") + (errors if tally.errors else Text())
    if tally.errors:
        yield "first error", Text(safe(tally.first_error))
    total = tally.kept + tally.unread + tally.dropped.total() + tally.not_judged
    yield "references", Text(f"{total:,} in, {tally.kept:,} kept")
    if tally.not_judged:
        yield "not judged", Text(f"{tally.not_judged:,}, of queries with an error", COLOURS["error"])
    if tally.unread:
        yield "cannot be read", Text(f"{tally.unread:,}", COLOURS["error"])
    by_stage = [f"{name} {tally.dropped[name]:,}" for name in dict.fromkeys(tally.stages)]
    yield "dropped by", Text(", ".join(by_stage) or "no guard is set")
    if tally.cut:
        yield "cut short", Text(f"{tally.cut:,}")
    for (_, budget), used in tally.used.items():
        mean = used / tally.selections
        usage = f"{budget.stage}: {mean:,.1f} of {budget.budget:,} {budget.unit} a query"
        yield "budget used", Text(f"{usage} ({100 * mean / budget.budget:.1f}%)")
    yield "left with nothing", Text(f"{tally.empty:,} of {tally.selections:,}")


def _show_line(console: Console, line: str) -> None:
    text = line.lstrip(" ")
    indent, mark = len(line) - len(text), text[:1]
    if mark in _MARKS and text[1:2] == " ":
        console.line(safe(text[2:]), label=Text(f"{mark} ", _MARKS[mark]), indent=indent)
    else:
        console.line(safe(text), indent=indent)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)
