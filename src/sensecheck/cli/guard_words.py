"""A guarded query in words, for people at a terminal."""

from rich.text import Text

from sensecheck.cli.guarded import Guarded
from sensecheck.cli.paint import COLOURS, Paper, quoted, safe
from sensecheck.retrieval.selection import Selection

_MARKS = {
    "+": COLOURS["pass"],
    "-": COLOURS["fail"],
    "?": COLOURS["error"],
    "~": COLOURS["unsure"],
}
"""How a line about a match begins, and its colour; the mark itself is always there."""


def show_guarded(paper: Paper, guarded: Guarded) -> None:
    """The query, what came of it line by line, and a gap."""
    named = "" if guarded.row.id is None else f"{safe(str(guarded.row.id))}: "
    paper.say((quoted(guarded.row.query), "bold"), label=(named, "bold"))
    if isinstance(guarded.found, Selection):
        for line in guarded.found.explain().split("\n"):
            _show(paper, line)
    else:
        paper.say(safe(str(guarded.found)), label=("error: ", COLOURS["error"]), indent=2)
    paper.say("")


def _show(paper: Paper, line: str) -> None:
    told = line.lstrip(" ")
    indent, mark = len(line) - len(told), told[:1]
    if mark in _MARKS and told[1:2] == " ":
        paper.say(safe(told[2:]), label=Text(f"{mark} ", _MARKS[mark]), indent=indent)
    else:
        paper.say(safe(told), indent=indent)
