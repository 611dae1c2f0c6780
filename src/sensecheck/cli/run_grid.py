"""How each test came out by each source: a row a test, a column a source."""

from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from sensecheck.cli.paint import COLOURS, Paper, safe
from sensecheck.core.verdict import Outcome
from sensecheck.evals.overview import Overview
from sensecheck.evals.titles import cut, title

_TITLE = 44
_BETWEEN = 2
_NARROWEST = len("unsure")


def show_grid(paper: Paper, overview: Overview) -> None:
    """The grid, with the share that passed below; names that do not fit side by side are numbered."""
    labels = [safe(label) for label in overview.columns]
    titles = [cut(safe(title(row.first)), _TITLE) for row in overview.grid]
    side = max(cell_len(text) for text in [*titles, "passed"])
    heads = labels
    if paper.is_terminal and side + sum(_width(label) for label in labels) > paper.width:
        heads = [str(number) for number in range(1, len(labels) + 1)]
        for number, label in zip(heads, labels, strict=True):
            paper.say(label, label=(f"{number:>3}  ", "bold"))
    paper.say((_line("", side, heads, heads), "bold"))
    for text, row in zip(titles, overview.grid, strict=True):
        paper.say(
            Text(set_cell_size(text, side)).append_text(_outcomes(row.outcomes, overview.columns, heads))
        )
    shares = [f"{tally.pass_rate:.1%}" for tally in overview.columns.values()]
    paper.say((_line("passed", side, shares, heads), "bold"))
    paper.say("")


def _width(head: str) -> int:
    return _BETWEEN + max(cell_len(head), _NARROWEST)


def _line(text: str, side: int, cells: Sequence[str], heads: Sequence[str]) -> str:
    told = (
        " " * _BETWEEN + set_cell_size(cell, _width(head) - _BETWEEN)
        for cell, head in zip(cells, heads, strict=True)
    )
    return (set_cell_size(text, side) + "".join(told)).rstrip()


def _outcomes(outcomes: Mapping[str, Outcome], labels: Iterable[str], heads: Sequence[str]) -> Text:
    line = Text()
    for label, head in zip(labels, heads, strict=True):
        word = outcomes.get(label)
        shown = set_cell_size(word or "", _width(head) - _BETWEEN)
        line.append(" " * _BETWEEN).append(shown, COLOURS[word] if word else "")
    return line
