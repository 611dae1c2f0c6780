"""How each test came out by each source: a row a test, a column a source."""

from rich.cells import cell_len
from rich.text import Text

from sensecheck.cli.paint import COLOURS, Paper, safe, show_table
from sensecheck.core.verdict import Outcome
from sensecheck.evals.overview import Overview
from sensecheck.evals.titles import cut, title

_TITLE = 44
_NARROWEST = len("unsure")


def show_grid(paper: Paper, overview: Overview) -> None:
    """The grid, with the share that passed below; names that do not fit side by side are numbered."""
    heads = labels = [safe(label) for label in overview.columns]
    titles = [cut(safe(title(row.first)), _TITLE) for row in overview.grid]
    widths = [max(map(cell_len, titles)), *(2 + max(cell_len(label), _NARROWEST) for label in labels)]
    if paper.is_terminal and sum(widths) > paper.width:
        heads = [str(number) for number in range(1, len(labels) + 1)]
        for number, label in zip(heads, labels, strict=True):
            paper.say(label, label=(f"{number:>3}  ", "bold"))
    rows: list[list[str | Text]] = [
        [text, *(_outcome(row.outcomes.get(label)) for label in overview.columns)]
        for text, row in zip(titles, overview.grid, strict=True)
    ]
    passed = ("passed", *(f"{tally.pass_rate:.1%}" for tally in overview.columns.values()))
    rows.append([Text(text, "bold") for text in passed])
    show_table(paper, ["", *heads], rows, left=len(widths))
    paper.say("")


def _outcome(word: Outcome | None) -> Text:
    return Text(word, COLOURS[word]) if word else Text()
