"""Effects as a table for spreadsheets: a row an item, in which nothing is a formula."""

from collections.abc import Callable, Iterable, Iterator

from sensecheck.io.csv import Cell, csv_row
from sensecheck.retrieval.effects.effects import Effects
from sensecheck.retrieval.effects.gone import Gone
from sensecheck.retrieval.effects.item_effect import Effect, ItemEffect

COLUMNS: dict[str, Callable[[Effect], Cell]] = {
    "queries": lambda one: one.before.queries,
    "queries_labelled": lambda one: one.before.queries_labelled,
    "references_before": lambda one: one.before.references,
    "references_after": lambda one: one.after.references,
    "relevant_before": lambda one: one.before.relevant,
    "relevant_after": lambda one: one.after.relevant,
    "irrelevant_before": lambda one: one.before.irrelevant,
    "irrelevant_after": lambda one: one.after.irrelevant,
    "unlabelled_before": lambda one: one.before.unlabelled,
    "unlabelled_after": lambda one: one.after.unlabelled,
    "coverage_before": lambda one: one.before.coverage,
    "coverage_after": lambda one: one.after.coverage,
    "relevant_coverage_before": lambda one: one.before.relevant_coverage,
    "relevant_coverage_after": lambda one: one.after.relevant_coverage,
    "chars_before": lambda one: one.before.chars,
    "chars_after": lambda one: one.after.chars,
    "cut": lambda one: one.cut,
    "kept_by_budget": lambda one: one.kept_by_budget,
}
"""The columns that every table has, after `position` and `item`."""

_LABELS = {name: f"{name}_" for name in ("relevant", "irrelevant", "unlabelled")}


def csv_text(effects: Effects) -> str:
    """The head, then a row an item; columns for each stage and each budget come last."""
    return "".join(_lines(effects))


def _lines(effects: Effects) -> Iterator[str]:
    stages, budgets = dict.fromkeys(effects.stages), effects.overall.budgets
    dropped = [f"{label}dropped_by_{stage}" for stage in stages for label in ("", *_LABELS.values())]
    spent = [f"{stage}_{what}" for stage in budgets for what in ("used", "budget")]
    yield csv_row(["position", "item", *COLUMNS, *dropped, *spent])
    for one in effects.items:
        yield csv_row([*_fixed(one), *_gone(one, stages), *_spent(one, budgets)])


def _fixed(one: ItemEffect) -> Iterator[Cell]:
    yield one.position
    yield one.item
    for told in COLUMNS.values():
        yield told(one.effect)


def _gone(one: ItemEffect, stages: Iterable[str]) -> Iterator[Cell]:
    for stage in stages:
        gone = one.effect.dropped.get(stage, Gone())
        yield gone.references
        for label in _LABELS:
            yield getattr(gone, label)


def _spent(one: ItemEffect, stages: Iterable[str]) -> Iterator[Cell]:
    for stage in stages:
        budget = one.effect.budgets.get(stage)
        yield None if budget is None else budget.used
        yield None if budget is None else budget.budget
