"""Figures and names as they stand in tables and sentences."""

from collections.abc import Sequence

from rich.cells import cell_len

from sensecheck.cli.console import Console, safe

NA = "n/a"
MAX_CELL_CHARS = 40
_BARS = "▁▂▃▄▅▆▇█"


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


def cut(text: str, most: int = MAX_CELL_CHARS) -> str:
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


def sparkline(console: Console, values: Sequence[float | None]) -> str:
    """How it went, in one line; only on a terminal that can show it, and with a gap where nothing is."""
    read = [value for value in values if value is not None]
    if not console.is_terminal or "utf" not in console.encoding.lower() or len(read) < 2:
        return ""
    low, reach = min(read), max(read) - min(read)
    return "".join(" " if value is None else _bar(value - low, reach) for value in values)


def _bar(above: float, reach: float) -> str:
    return _BARS[3] if not reach else _BARS[min(len(_BARS) - 1, int(above / reach * len(_BARS)))]
