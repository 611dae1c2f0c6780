"""Colours and tables, and the texts of strangers made safe to show."""

import re
from collections.abc import Sequence
from typing import NoReturn

from rich.console import Console
from rich.text import Text

from sensecheck.cli.outcomes import NOT_JUDGED
from sensecheck.core.verdict import Outcome

COLOURS: dict[Outcome, str] = {
    "pass": "bold green",
    "fail": "bold red",
    "unsure": "bold yellow",
    "measured": "bold cyan",
    "error": "bold magenta",
}
LONGEST_QUOTE = 120
NARROWEST = 24
MAX_TABLE_CELLS = 100_000
"""As wide as a table gets: nothing is cut where nobody knows how much room there is."""

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What could move the cursor, change colours or turn the writing direction."""


class Paper(Console):
    """Where a verb writes: coloured on a terminal, plain and unwrapped everywhere else."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def say(
        self, *parts: str | Text | tuple[str, str], label: Text | tuple[str, str] = ("", ""), indent: int = 0
    ) -> None:
        """One line; what does not fit on a terminal goes on below, right of the label."""
        line, head = Text.assemble(*parts), Text.assemble(" " * indent, label)
        width = max(self.width - head.cell_len, NARROWEST)
        for piece in line.wrap(self, width) if self.is_terminal else [line]:
            self.print(head + piece, soft_wrap=True)
            head = Text(" " * head.cell_len)

    def on_broken_pipe(self) -> NoReturn:
        """The reader has gone: nobody was told a verdict, so this is neither a pass nor a fail."""
        try:
            super().on_broken_pipe()
        finally:
            raise SystemExit(NOT_JUDGED)


def show_table(
    paper: Paper,
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

    wide = paper.options.update(width=MAX_TABLE_CELLS)
    for spared in range(len(spare) + 1):
        kept = [at for at, word in enumerate(head) if word not in spare[:spared]]
        table = Table(box=None, pad_edge=False)
        for at in kept:
            table.add_column(Text(head[at], "bold"), justify="left" if at < left else "right")
        for row in rows:
            table.add_row(*(Text.assemble(row[at]) for at in kept))
        if not paper.is_terminal or indent + paper.measure(table, options=wide).maximum <= paper.width:
            for line in paper.render_lines(table, wide, pad=False):
                text = Text.assemble(" " * indent, *((part.text, part.style or "") for part in line))
                text.rstrip()
                paper.print(text, soft_wrap=True)
            return
    for first, *rest in rows:
        paper.say(Text.assemble(first, style="bold"), indent=indent)
        for word, cell in zip(head[1:], rest, strict=True):
            if cell:
                paper.say(f"{word}: ", cell, indent=indent + 2)


def outcome(word: Outcome) -> tuple[str, str]:
    """An outcome in its colour; the word itself is always there."""
    return f"{word.upper():<6} ", COLOURS[word]


def safe(text: str) -> str:
    """The text with everything that a terminal would act on made visible: `\\x1b` for escape."""
    return _UNSAFE.sub(lambda found: _SHOWN.get(found[0]) or ascii(found[0])[1:-1], text)


def quoted(text: str, *, most: int = LONGEST_QUOTE) -> str:
    """The text in quotes, cut when it is long, which is said."""
    if len(text) <= most:
        return f"“{safe(text)}”"
    return f"“{safe(text[:most])}…” ({len(text):,} characters)"


_SHOWN = {"\n": "↵", "\t": " "}
