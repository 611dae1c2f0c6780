"""Items side by side, in as many columns as a terminal has room for."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from sensecheck.cli.effects_words import both, percent
from sensecheck.cli.paint import Paper, safe
from sensecheck.retrieval.effects.item_effect import Effect, ItemEffect

Column = tuple[str, Callable[[Effect], str]]
_LONGEST = 32
_SHORTEST = 12
"""Fewer letters of an item's name would say nothing."""


def _labelled(effect: Effect, before: int, after: int) -> str:
    return both(f"{before:,}", f"{after:,}") if effect.before.queries_labelled else both("–", "–")


_QUERIES: Column = ("queries", lambda one: f"{one.before.queries:,}")
_RELEVANT: Column = ("relevant", lambda one: _labelled(one, one.before.relevant, one.after.relevant))
_COVERED: Column = (
    "covered",
    lambda one: both(percent(one.before.relevant_coverage), percent(one.after.relevant_coverage)),
)
_FIGURES: Sequence[Column] = (
    _QUERIES,
    ("references", lambda one: both(f"{one.before.references:,}", f"{one.after.references:,}")),
    _RELEVANT,
    ("irrelevant", lambda one: _labelled(one, one.before.irrelevant, one.after.irrelevant)),
    _COVERED,
    ("chars", lambda one: both(f"{one.before.chars:,}", f"{one.after.chars:,}")),
)
_FEWER: Sequence[Column] = (
    _QUERIES,
    ("kept", lambda one: f"{one.after.references:,} of {one.before.references:,}"),
    _RELEVANT,
    _COVERED,
)


def show_items(paper: Paper, items: Sequence[ItemEffect]) -> None:
    """All columns; fewer where there is less room; line under line where even those are too many."""
    names = [safe(one.item) for one in items]
    longest = min(max(map(cell_len, names)), _LONGEST)
    for columns, least in ((_FIGURES, longest), (_FEWER, min(longest, _SHORTEST))):
        rows = [[told(one.effect) for _, told in columns] for one in items]
        heads = [head for head, _ in columns]
        widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
        room = paper.width - sum(widths) - 2 * len(widths) if paper.is_terminal else _LONGEST
        if room >= least:
            _table(
                paper,
                [
                    ["item", *heads],
                    *([cut(name, min(room, _LONGEST)), *row] for name, row in zip(names, rows, strict=True)),
                ],
            )
            return
    for one in items:
        paper.say((cut(safe(one.item), _LONGEST), "bold"))
        for head, told in _FIGURES:
            paper.say(f"{head}: {told(one.effect)}", indent=2)


def cut(name: str, most: int) -> str:
    """The name, or its beginning, in at most so many cells."""
    if cell_len(name) <= most:
        return name
    kept = name[: most - 1]
    while cell_len(kept) > most - 1:
        kept = kept[:-1]
    return f"{kept}…"


def _table(paper: Paper, rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        first, *rest = (
            _padded(cell, width, right=column > 0)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        paper.say(("  ".join((first, *rest)).rstrip(), "" if number else "bold"))


def _padded(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - cell_len(cell))
    return space + cell if right else cell + space
