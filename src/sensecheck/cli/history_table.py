"""Rows of figures: side by side where there is room, else line under line."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

from sensecheck.cli.paint import Paper, safe

Cell = str | Text
NA = "n/a"
LONGEST = 40
_GAP = "  "
_BARS = "▁▂▃▄▅▆▇█"


def show_table(
    paper: Paper,
    head: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    left: int = 1,
    spare: Sequence[str] = (),
) -> None:
    """The table; so many of its first columns stand to the left, and figures to the right.

    Where a terminal is too narrow, columns that can be spared are left out, the first named first.
    """
    lines = [[Text(word, "bold") for word in head], *([_text(cell) for cell in row] for row in rows)]
    for spared in range(len(spare) + 1):
        kept = [at for at, word in enumerate(head) if word not in spare[:spared]]
        widths = [max(cell_len(line[at].plain) for line in lines) for at in kept]
        if not paper.is_terminal or sum(widths) + len(_GAP) * (len(widths) - 1) <= paper.width:
            for line in lines:
                sized = zip(kept, widths, strict=True)
                _print(paper, [_padded(line[at], width, right=at >= left) for at, width in sized])
            return
    _show_below(paper, lines)


def number(value: float | None, digits: int = 3, *, sign: bool = False) -> str:
    """A figure; what there is none of is `n/a`."""
    if value is None:
        return NA
    return f"{value:{'+' if sign else ''}.{digits}f}"


def interval(low: float | None, high: float | None, *, sign: bool = False) -> str:
    """From where to where."""
    if low is None or high is None:
        return ""
    return f"{number(low, sign=sign)} to {number(high, sign=sign)}"


def counted(count: int, word: str) -> str:
    """So many of something."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def chance(p: float | None) -> str:
    """A p as people read it."""
    if p is None:
        return NA
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def cut(text: str, most: int = LONGEST) -> str:
    """A strangers' text on one line, in at most so many cells."""
    shown = safe(text[: most + 1])  # of a long one no more than can be shown is looked at
    if len(text) <= most and cell_len(shown) <= most:
        return shown
    shown = shown[:most]
    while cell_len(shown) > most - 1:
        shown = shown[:-1]
    return f"{shown}…"


def metric_name(metric: str, encoder: str, *, several: bool) -> str:
    """A metric, with its encoder where that is needed to tell it from another."""
    return f"{safe(metric)} ({safe(encoder)})" if several and encoder else safe(metric)


def sparkline(paper: Paper, values: Sequence[float | None]) -> str:
    """How it went, in one line; only on a terminal that can show it, and with a gap where nothing is."""
    read = [value for value in values if value is not None]
    if not paper.is_terminal or "utf" not in paper.encoding.lower() or len(read) < 2:
        return ""
    low, reach = min(read), max(read) - min(read)
    return "".join(" " if value is None else _bar(value - low, reach) for value in values)


def _bar(above: float, reach: float) -> str:
    return _BARS[3] if not reach else _BARS[min(len(_BARS) - 1, int(above / reach * len(_BARS)))]


def _text(cell: Cell) -> Text:
    return Text(cell) if isinstance(cell, str) else cell.copy()


def _padded(cell: Text, width: int, *, right: bool) -> Text:
    space = width - cell_len(cell.plain)
    if right:
        cell.pad_left(space)
    else:
        cell.pad_right(space)
    return cell


def _print(paper: Paper, cells: Iterable[Text]) -> None:
    joined = Text(_GAP).join(cells)
    joined.rstrip()
    paper.print(joined, soft_wrap=True)


def _show_below(paper: Paper, lines: list[list[Text]]) -> None:
    heads, *rows = lines
    for first, *rest in rows:
        first.stylize("bold")
        paper.say(first)
        told = [
            Text.assemble(f"{head.plain} ", cell) for head, cell in zip(heads[1:], rest, strict=True) if cell
        ]
        paper.say(Text(", ").join(told), indent=2)
