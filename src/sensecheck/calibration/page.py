"""A card as one page to look at: one file, which needs a browser and fetches nothing."""

from collections.abc import Iterator
from typing import Any

from sensecheck.calibration.card import Bin, Card
from sensecheck.calibration.decision import ErrorRates
from sensecheck.calibration.summary import (
    METHODS,
    UNSURE,
    WHAT,
    RocPoint,
    cutoff_in_words,
    describe_cutoff,
    histogram_of,
    measure_in_full,
    measured,
    percent,
    precision,
    promise_in_words,
    roc_of,
)
from sensecheck.core.cutoff import Rate
from sensecheck.io.pages import blob, built_page, json_bytes, readable

FORMAT = 1
"""Of the data in the page; `ui/src/data/card.ts` reads it."""


def page_of(card: Card) -> str:
    """A whole HTML file, the same for the same card."""
    before, after = built_page("sensecheck.calibration", "card_page.html")
    return before + blob("card", json_bytes(page_data(card))) + after


def page_data(card: Card) -> dict[str, Any]:
    """What the page shows, as plain data."""
    data = {
        "format": FORMAT,
        "name": card.name,
        "promise": promise_in_words(card),
        "speaks_of": card.speaks_of(),
        "broken": list(card.broken),
        "claims": [
            {
                "claims": fit.claims.describe(),
                "passes": describe_cutoff(card.good, fit.line, fit.doubt),
                "promised": fit.scope.describe() if fit.promised else None,
                "promise": fit.promise,
                "rates": _rates(card, fit.rates),
            }
            for fit in card.claims
        ],
        "passes": cutoff_in_words(card),
        "measure": measured(card),
        "measure_in_full": measure_in_full(card),
        "good": card.good,
        "threshold": card.line,
        "unsure": card.doubt,
        "targets": {target.errors: target.at_most for target in card.targets},
        "held_out": {"good": card.held_out.good, "bad": card.held_out.bad},
        "rates": _rates(card, card.rates),
        "slices": [
            {
                "column": column,
                "rows": [{"value": value, "rates": _rates(card, rates)} for value, rates in values.items()],
            }
            for column, values in card.slices.items()
        ],
        "histogram": _histogram(card),
        "roc": _roc(card),
        "reliability": [_bin(one) for one in card.reliability],
        "warnings": list(card.warnings),
        "facts": [list(fact) for fact in _facts(card)],
        "version": card.version,
    }
    return dict(readable(data))


def _rates(card: Card, rates: ErrorRates) -> list[dict[str, Any]]:
    """The rates under their names; that of `unsure` only where an answer can be."""
    entries: list[dict[str, Any]] = [
        {"kind": "false_accepts", "what": WHAT["false_accepts"], "rate": _rate(rates.false_accepts)},
        {"kind": "false_rejects", "what": WHAT["false_rejects"], "rate": _rate(rates.false_rejects)},
    ]
    if card.doubt is not None or card.rates.unsure is not None:
        entries.append({"kind": "unsure", "what": UNSURE, "rate": _rate(rates.unsure)})
    return entries


def _rate(rate: Rate | None) -> dict[str, float] | None:
    return None if rate is None else {"value": rate.value, "low": rate.low, "high": rate.high, "n": rate.n}


def _bin(one: Bin) -> dict[str, Any]:
    return {"low": one.low, "high": one.high, "expected": one.expected, "observed": _rate(one.observed)}


def _histogram(card: Card) -> dict[str, Any] | None:
    histogram = histogram_of(card)
    if histogram is None:
        return None
    return {"edges": list(histogram.edges), "good": list(histogram.good), "bad": list(histogram.bad)}


def _roc(card: Card) -> dict[str, Any] | None:
    roc = roc_of(card)
    if roc is None:
        return None
    return {
        "points": [_point(point) for point in roc.points],
        "auc": roc.auc,
        "passes": _point(roc.passes),
        "not_failed": None if roc.not_failed is None else _point(roc.not_failed),
        "whole": roc.whole,
    }


def _point(point: RocPoint) -> list[float]:
    """The share of bad answers that pass, and of good ones."""
    return [point.bad, point.good]


def _facts(card: Card) -> Iterator[tuple[str, str]]:
    """Where the threshold comes from, in full."""
    data = card.data
    yield "speaks of", card.speaks_of()
    yield "measure", measured(card)
    yield "passes", cutoff_in_words(card)
    yield "method", METHODS[card.method]
    yield "encoder", card.encoder or "none; the measure uses no vectors"
    if card.encoder:
        yield "precision", precision(card)
    yield "data", f"{data.name}, {data.rows} rows"
    yield "SHA-256 of the data", data.sha256
    grouped = f"; rows of one “{data.group}” count once" if data.group else ""
    yield "columns", f"labels from “{data.label}”{grouped}"
    yield "fitted on", f"{card.fitted.good} good and {card.fitted.bad} bad answers"
    aside = f"{percent(card.share_held_out)}, chosen with the seed {card.seed}"
    yield "held out", f"{card.held_out.good} good and {card.held_out.bad} bad answers ({aside})"
    yield "fitted", f"{card.date}, with sensecheck {card.version}"
    yield "licence of the data", card.licence or "not stated"
