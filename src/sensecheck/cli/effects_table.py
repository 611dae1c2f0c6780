"""Items side by side, in as many columns as a terminal has room for."""

from collections.abc import Callable, Sequence

from sensecheck.cli.effects_words import both, percent
from sensecheck.cli.history_table import cut
from sensecheck.cli.paint import Paper, show_table
from sensecheck.retrieval.effects.item_effect import Effect, ItemEffect

Column = tuple[str, Callable[[Effect], str]]
_LONGEST = 32
_USUAL_WIDTHS = (60, 100)
_FEWER_CELLS = 48
"""What the fewer columns take beside the item's name."""


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
    """All columns where there is room or nobody knows, fewer on a terminal of the usual width."""
    usual = paper.is_terminal and _USUAL_WIDTHS[0] <= paper.width < _USUAL_WIDTHS[1]
    columns, longest = (_FEWER, min(_LONGEST, paper.width - _FEWER_CELLS)) if usual else (_FIGURES, _LONGEST)
    rows = [[cut(one.item, longest), *(told(one.effect) for _, told in columns)] for one in items]
    show_table(paper, ["item", *(head for head, _ in columns)], rows, spare=("chars", "irrelevant"))
