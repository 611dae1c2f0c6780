"""The report on what guards did to references and answers: as data, as a table, as a page."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sensecheck.core.errors import SpecError
from sensecheck.io.atomic import whole_file
from sensecheck.io.csv import Cell, csv_row
from sensecheck.io.pages import blob, built_page, json_bytes
from sensecheck.retrieval.effects import Effects
from sensecheck.retrieval.item_effects import DroppedCounts, ItemEffect
from sensecheck.stats.risk_coverage import PairedDifference, RiskCoverage, ScoredOutput, paired_difference

_COUNTS = (
    *("references", "relevant", "irrelevant", "unlabelled"),
    *("coverage", "relevant_coverage", "chars"),
)
"""What is counted before the guards and after them."""
_COLUMNS = (
    *("queries", "queries_labelled"),
    *(f"{count}_{when}" for count in _COUNTS for when in ("before", "after")),
    *("cut", "kept_by_budget"),
)
"""The columns that every table has, after `position` and `item`."""

FORMS = (".html", ".csv", ".json")
_LABELS = {name: f"{name}_" for name in ("relevant", "irrelevant", "unlabelled")}


@dataclass(frozen=True, slots=True)
class ScoredEffects:
    """Outputs without guards and with them, on the same questions."""

    bare: RiskCoverage
    guarded: RiskCoverage
    paired: PairedDifference

    @classmethod
    def of(cls, bare: Sequence[ScoredOutput], guarded: Sequence[ScoredOutput], *, seed: int = 0) -> Self:
        """Both curves, and their difference up to the coverage that both reach."""
        paired = paired_difference(bare, guarded, seed=seed)
        return cls(RiskCoverage.of(bare), RiskCoverage.of(guarded), paired)

    def to_data(self) -> dict[str, Any]:
        """Both curves and the difference, ready for JSON."""
        return {
            "bare": self.bare.to_data(),
            "guarded": self.guarded.to_data(),
            "paired": self.paired.to_data(),
        }


@dataclass(frozen=True, slots=True)
class EffectsReport:
    """What the terminal, the files and the page tell."""

    source: str
    """The name of the labelled data."""
    effects: Effects
    scored: ScoredEffects | None = None
    """None where no one scored outputs."""
    encoder: str | None = None
    """The fingerprint of the encoder that encoded texts; None where none was asked."""

    def to_data(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "source": self.source,
            "encoder": self.encoder,
            **self.effects.to_data(),
            "scored": None if self.scored is None else self.scored.to_data(),
        }


def csv_text(effects: Effects) -> str:
    """The head, then a row an item; columns for each stage and each budget come last."""
    return "".join(_lines(effects))


def page_of(report: EffectsReport) -> str:
    """A whole HTML file, the same for the same report."""
    before, after = built_page("sensecheck.retrieval", "effects_page.html")
    return before + blob("effects", json_bytes(report.to_data())) + after


def validate_form(path: Path) -> None:
    """Raise `SpecError` unless the ending of the file is that of a form of the report."""
    if path.suffix not in FORMS:
        known = ", ".join(f"`{form}`" for form in FORMS)
        raise SpecError(f"`{path}` names no form of this report by its ending; known: {known}")


def write_report(report: EffectsReport, path: Path) -> None:
    """The report in a file, in the form that its ending names."""
    validate_form(path)
    if path.suffix == ".html":
        text = page_of(report)
    elif path.suffix == ".csv":
        text = csv_text(report.effects)
    else:
        text = json.dumps(report.to_data(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    with whole_file(path, errors="backslashreplace") as file:
        file.write(text)


def _lines(effects: Effects) -> Iterator[str]:
    stages, budgets = dict.fromkeys(effects.stages), effects.overall.budgets
    dropped = [f"{label}dropped_by_{stage}" for stage in stages for label in ("", *_LABELS.values())]
    spent = [f"{stage}_{what}" for stage in budgets for what in ("used", "budget")]
    yield csv_row(["position", "item", *_COLUMNS, *dropped, *spent])
    for item in effects.items:
        yield csv_row(_cells(item, stages, budgets))


def _cells(item: ItemEffect, stages: Iterable[str], budgets: Iterable[str]) -> Iterator[Cell]:
    before, after = item.effect.before, item.effect.after
    yield from (item.position, item.item, before.queries, before.queries_labelled)
    for count in _COUNTS:
        yield from (getattr(before, count), getattr(after, count))
    yield from (item.effect.cut, item.effect.kept_by_budget)
    for stage in stages:
        counts = item.effect.dropped.get(stage, DroppedCounts())
        yield counts.references
        for label in _LABELS:
            yield getattr(counts, label)
    for stage in budgets:
        budget = item.effect.budgets.get(stage)
        yield None if budget is None else budget.used
        yield None if budget is None else budget.budget
