"""What every verb writes with: safe, coloured text and tables, JSON, notes and errors.

`RootGroup` runs the verbs; whatever goes wrong in one becomes a readable line and an exit code.
"""

import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.cells import cell_len
from rich.console import Console as RichConsole
from rich.text import Text
from typer.core import TyperGroup

from sensecheck.cli.exit_codes import ASKED_WRONGLY, NOT_JUDGED, WORST_FIRST, exit_code_of
from sensecheck.core.errors import SensecheckError
from sensecheck.core.verdict import Outcome

if TYPE_CHECKING:
    from sensecheck.server.logging import Look

COLOURS: dict[Outcome, str] = {
    "pass": "bold green",
    "fail": "bold red",
    "unsure": "bold yellow",
    "measured": "bold cyan",
    "error": "bold magenta",
}
MAX_QUOTE_CHARS = 120
MAX_CELL_CHARS = 40
NARROWEST = 24
MAX_TABLE_CELLS = 100_000
"""As wide as a table gets: nothing is cut where the width is unknown."""
QUIET_LOGGER, NOTED_LOGGER = "sensecheck.evaluation", "sensecheck.store"
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What could move the cursor, change colours or turn the writing direction."""
_BARS = "▁▂▃▄▅▆▇█"
_REPLACEMENTS = {"\n": "↵", "\t": " "}
UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for a command line that it does not understand; it has no public name for it."""


class Console(RichConsole):
    """Where a verb writes: coloured on a terminal, plain and unwrapped everywhere else."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def line(  # type: ignore[override] # rich calls it without parts alone: an empty line here too
        self, *parts: str | Text | tuple[str, str], label: Text | tuple[str, str] = ("", ""), indent: int = 0
    ) -> None:
        """One line; what does not fit on a terminal goes on below, right of the label."""
        line, head = Text.assemble(*parts), Text.assemble(" " * indent, label)
        width = max(self.width - head.cell_len, NARROWEST)
        for piece in line.wrap(self, width) if self.is_terminal else [line]:
            self.print(head + piece, soft_wrap=True)
            head = Text(" " * head.cell_len)

    def on_broken_pipe(self) -> NoReturn:
        """The reader has gone: no verdict was shown, so this is neither a pass nor a fail."""
        try:
            super().on_broken_pipe()
        finally:
            raise SystemExit(NOT_JUDGED)


def show_table(
    console: Console,
    head: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    left: int = 1,
    indent: int = 0,
    spare: Sequence[str] = (),
) -> None:
    """A table without lines; its first `left` columns are aligned left, and the others, figures, right.

    Where a terminal is too narrow, columns that can be spared are left out, the first named first; where
    that does not suffice, each row becomes a list.
    """
    from rich.table import Table  # noqa: PLC0415 - `--help` does without

    wide = console.options.update(width=MAX_TABLE_CELLS)
    for spared in range(len(spare) + 1):
        columns = [at for at, word in enumerate(head) if word not in spare[:spared]]
        table = Table(box=None, pad_edge=False)
        for at in columns:
            table.add_column(Text(head[at], "bold"), justify="left" if at < left else "right")
        for row in rows:
            table.add_row(*(Text.assemble(row[at]) for at in columns))
        if not console.is_terminal or indent + console.measure(table, options=wide).maximum <= console.width:
            for line in console.render_lines(table, wide, pad=False):
                text = Text.assemble(" " * indent, *((part.text, part.style or "") for part in line))
                text.rstrip()
                console.print(text, soft_wrap=True)
            return
    for first, *rest in rows:
        console.line(Text.assemble(first, style="bold"), indent=indent)
        for word, cell in zip(head[1:], rest, strict=True):
            if cell:
                console.line(f"{word}: ", cell, indent=indent + 2)


def outcome(word: Outcome) -> tuple[str, str]:
    """An outcome in its colour; the word itself is always there."""
    return f"{word.upper():<6} ", COLOURS[word]


def outcome_counts(counts: Mapping[Outcome, int]) -> Text:
    """How many of each outcome there are, in its colour."""
    words = [word for word in reversed(WORST_FIRST) if counts.get(word)]
    return Text(", ").join(Text(f"{counts[word]} {word}", COLOURS[word]) for word in words)


def safe(text: str) -> str:
    """The text with everything that a terminal would act on made visible: `\\x1b` for escape."""
    return _UNSAFE.sub(lambda match: _REPLACEMENTS.get(match[0]) or ascii(match[0])[1:-1], text)


def quoted(text: str, *, most: int = MAX_QUOTE_CHARS) -> str:
    """The text in quotes, cut when it is long, which is said."""
    if len(text) <= most:
        return f"“{safe(text)}”"
    return f"“{safe(text[:most])}…” ({len(text):,} characters)"


def cut(text: str, most: int = MAX_CELL_CHARS) -> str:
    """A strangers' text on one line, in at most so many cells."""
    shown = safe(text[: most + 1])  # of a long one no more than can be shown is looked at
    if len(text) <= most and cell_len(shown) <= most:
        return shown
    shown = shown[:most]
    while cell_len(shown) > most - 1:
        shown = shown[:-1]
    return f"{shown}…"


def sparkline(console: Console, values: Sequence[float | None]) -> str:
    """How it went, in one line; only on a terminal that can show it, and with a gap where nothing is."""
    read = [value for value in values if value is not None]
    if not console.is_terminal or "utf" not in console.encoding.lower() or len(read) < 2:
        return ""
    low, reach = min(read), max(read) - min(read)
    return "".join(" " if value is None else _bar(value - low, reach) for value in values)


def write_json(data: Any, *, indent: int | None = None, err: bool = False) -> None:
    """Data as JSON, on one line unless an indent is asked for."""
    write_line(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent), err=err)


def write_line(text: str, *, err: bool = False) -> None:
    """A line in UTF-8; half a surrogate pair, which UTF-8 does not know, becomes its JSON escape."""
    typer.echo(text.encode("utf-8", "backslashreplace"), err=err)


def note(said: str, *, as_json: bool) -> None:
    """Say something that is no error."""
    if as_json:
        write_json({"note": said}, err=True)
    else:
        Console(stderr=True).line(safe(said), label=("note: ", "bold yellow"))


def print_error(message: str, kind: str, *, as_json: bool) -> None:
    """Say on standard error what is wrong."""
    if as_json:
        write_json({"error": message, "kind": kind}, err=True)
    else:
        console, first = Console(stderr=True), ("error: ", "bold red")
        for number, line in enumerate(message.splitlines() or [""]):
            console.line(safe(line), label=("", "") if number else first)


@contextmanager
def logs_as_notes(*, as_json: bool) -> Iterator[None]:
    """What could not be read is counted in the summary; that the database is away is said at once."""
    handlers = ((QUIET_LOGGER, logging.NullHandler()), (NOTED_LOGGER, _NoteHandler(as_json=as_json)))
    for name, handler in handlers:
        logging.getLogger(name).addHandler(handler)
    try:
        yield
    finally:
        for name, handler in handlers:
            logging.getLogger(name).removeHandler(handler)


def log_look() -> "Look":
    """By whether this is a terminal, and has colours."""
    if not sys.stderr.isatty():
        return "json"
    return "plain" if Console(stderr=True).no_color else "coloured"


class RootGroup(TyperGroup):
    """All verbs, behind one handler of errors, and with a help that fits on one screen."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """One line per verb in its group; verbs of one description share a line."""
        commands = dict[tuple[str, str], list[str]]()
        for command in self.commands.values():
            if not command.hidden:
                group, about = getattr(command, "rich_help_panel", None), command.get_short_help_str(80)
                commands.setdefault((str(group), about), []).append(str(command.name))
        verbs = {key: ", ".join(names) for key, names in commands.items()}
        groups, console = dict.fromkeys(group for group, _ in verbs), Console()
        first, second = (max(map(len, words)) + 2 for words in (groups, verbs.values()))
        with console.capture() as written:
            console.line(
                (f"Usage: {ctx.command_path} COMMAND …", "bold"), "; COMMAND --help shows its options"
            )
            console.line(self.help or "")
            console.line("")
            for group in groups:
                title = f"{group:<{first}}"
                for (_, about), names in ((key, names) for key, names in verbs.items() if key[0] == group):
                    label = Text.assemble((title, "bold"), (f"{names:<{second}}", "bold cyan"))
                    console.line(about.removesuffix("."), label=label)
                    title = " " * first
            console.line("")
            for line in (self.epilog or "").splitlines():
                console.line(line)
        formatter.write(written.get().rstrip("\n"))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> Any:
        """Run the command line, then leave with the exit code."""
        arguments = list(sys.argv[1:] if args is None else args)
        wants_json = "--json" in arguments
        try:
            code = super().main(arguments, *rest, **{**more, "standalone_mode": False})
        except SensecheckError as error:
            print_error(str(error), type(error).__name__, as_json=wants_json)
            code = exit_code_of(error)
        except UsageError as error:
            _print_usage_error(error, as_json=wants_json)
            code = ASKED_WRONGLY
        except SystemExit as end:  # typer's 1 for a closed pipe would say `fail`
            code = NOT_JUDGED if isinstance(end.__context__, BrokenPipeError) else end.code
        sys.exit(code or 0)


class _NoteHandler(logging.Handler):
    """Log lines as notes."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__(logging.WARNING)
        self._as_json = as_json

    def emit(self, record: logging.LogRecord) -> None:
        """Say it."""
        note(record.getMessage(), as_json=self._as_json)


def _print_usage_error(error: Any, *, as_json: bool) -> None:
    message = error.format_message()
    if not message:  # typer has printed the help instead
        return
    print_error(message, "UsageError", as_json=as_json)
    if error.ctx is not None and not as_json:
        Console(stderr=True).line((f"see: {error.ctx.command_path} --help", "dim"))


def _bar(above: float, reach: float) -> str:
    return _BARS[3] if not reach else _BARS[min(len(_BARS) - 1, int(above / reach * len(_BARS)))]
