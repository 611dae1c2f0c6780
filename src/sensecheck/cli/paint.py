"""Colours, and the texts of strangers made safe to show."""

import re
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
