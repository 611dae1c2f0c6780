"""Readings of a run by label, for a page on which cutoffs are dragged, and cards that are fitted on them.

The page gets counts by the grid that a cutoff moves on, and never the readings: at each place of the grid
they are exact, however many rows there are. Only the random sample may feed a guarantee.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

import sensecheck
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.drift import drift_of
from sensecheck.calibration.fit import fit, what_to_promise
from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.page import page_data
from sensecheck.calibration.sample_size import NotCertifiable, shortage
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.summary import METHODS, cutoff_in_words, named_rates, percent, promise_in_words
from sensecheck.calibration.target import Method, Target
from sensecheck.core.cutoff import Cutoff, GoodSide, Rate
from sensecheck.core.errors import SpecError
from sensecheck.core.registry import measure_to_data
from sensecheck.core.serialization import did_you_mean
from sensecheck.io.atomic import write_whole
from sensecheck.measures.metrics import metrics_named
from sensecheck.runs.agreement import EVEN
from sensecheck.runs.record import Numbers
from sensecheck.runs.summary import rounded
from sensecheck.stats.ranks import auroc
from sensecheck.studio.index import MetricName
from sensecheck.studio.library import Library, StudioRun
from sensecheck.studio.review import RunReview
from sensecheck.studio.rows import Mask, reading_columns

WhichRows = Literal["random", "all"]
MAX_PLACES = 1000
"""Of the grid that a cutoff moves on."""
MAX_WRONG_ROWS = 100
HELD_OUT = 0.3
FIT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Grid:
    """Places at round numbers, at equal distances: `first * step`, `(first + 1) * step`, …"""

    step: float
    digits: int
    first: int
    count: int

    @classmethod
    def over(cls, low: float, high: float) -> "Grid":
        """A grid that covers these numbers, with a place beyond the highest."""
        span = max(high - low, 1e-9)
        digits = math.ceil(-math.log10(span / MAX_PLACES))
        step = next(
            size for size in (n * 10.0**-digits for n in (1, 2, 5, 10, 20)) if span / size <= MAX_PLACES - 2
        )
        digits = max(digits, 0)
        first = math.floor(low / step)
        return cls(step, digits, first, math.ceil(high / step) - first + 2)

    def places(self) -> Numbers:
        """The numbers themselves, as they are written."""
        return np.array(
            [float(f"{(self.first + at) * self.step:.{self.digits}f}") for at in range(self.count)]
        )


class LabelledReadings:
    """The readings of one metric with what people say of the answers."""

    def __init__(self, review: RunReview, *, which: WhichRows, good: GoodSide = "above") -> None:
        self.review = review
        self.which = which
        self.good = good
        self.sample = review.sample()
        index = review.view.index
        label_values = review.view.labels.get(review.label, np.full(len(index), np.nan))
        self.labelled = int((~np.isnan(label_values)).sum())
        counted = np.zeros(len(index), np.bool_)
        counted[self.sample.rows] = True
        if which == "all":
            counted = ~np.isnan(label_values)
        has_reading = ~np.isnan(review.numbers)
        with np.errstate(invalid="ignore"):
            self.are_good: Mask = counted & has_reading & (label_values > EVEN)
            self.are_bad: Mask = counted & has_reading & (label_values < EVEN)
        self.others: Mask = has_reading & ~(self.are_good | self.are_bad)
        self.split = int((counted & (label_values == EVEN)).sum())

    def rows(self) -> list[Labelled]:
        """As a fit takes them, in the order of the run; tests that were asked in several ways are groups."""
        index = self.review.view.index
        grouped = len(np.unique(index.tests)) < len(index)
        return [
            Labelled(
                float(self.review.numbers[at]),
                bool(self.are_good[at]),
                str(index.tests[at]) if grouped else None,
            )
            for at in np.flatnonzero(self.are_good | self.are_bad)
        ]

    def chart(self, targets: Sequence[Target]) -> dict[str, Any]:
        """What the page draws: how many readings of each label are below each place of the grid.

        What is good below its cutoff passes at the cutoff too: then those at the place count as well.
        """
        numbers, measured = self.review.numbers, self.are_good | self.are_bad | self.others
        values = numbers[measured]
        grid = Grid.over(min(0.0, float(values.min(initial=0))), max(1.0, float(values.max(initial=1))))
        places = grid.places()
        masks = {"good": self.are_good, "bad": self.are_bad, "other": self.others}
        side: Literal["left", "right"] = "left" if self.good == "above" else "right"
        below = {name: np.searchsorted(np.sort(numbers[mask]), places, side) for name, mask in masks.items()}
        both = self.are_good | self.are_bad
        has_both = self.are_good.any() and self.are_bad.any()
        lacking = shortage(self.rows(), method="exact", targets=targets, share_held_out=HELD_OUT)
        return {
            "grid": asdict(grid),
            "below": {name: counts.tolist() for name, counts in below.items()},
            "n": {name: int(mask.sum()) for name, mask in masks.items()},
            "split": self.split,
            "auc": auroc(numbers[both], self.are_good[both]) if has_both else None,
            "start": rounded(self.review.edge(None)),
            "missing": {} if lacking is None else dict(lacking.missing),
            "shortage": None if lacking is None else lacking.describe(),
            "sample": self.sample.to_data(),
            "labelled": self.labelled,
        }

    def wrong_rows(self, cutoff: Cutoff) -> dict[str, Any]:
        """Labelled rows on the wrong side, those furthest from the cutoff first: confident, and wrong."""
        index, numbers = self.review.view.index, self.review.numbers
        sign = 1 if self.good == "above" else -1
        low, high = cutoff.doubt or (cutoff.value, cutoff.value)
        passes = numbers >= high if sign > 0 else numbers <= low
        fails = numbers < low if sign > 0 else numbers > high
        wrong = np.flatnonzero((self.are_good & fails) | (self.are_bad & passes))
        order = wrong[np.argsort(-np.abs(numbers[wrong] - cutoff.value), kind="stable")]
        rows = [
            {
                "at": int(at),
                "id": index.ids[at],
                "title": index.titles[at],
                "value": rounded(float(numbers[at])),
                "good": bool(self.are_good[at]),
            }
            for at in order[:MAX_WRONG_ROWS]
        ]
        return {"total": len(order), "rows": rows}


class PolicyStore(Protocol):
    """The policies of a service, by which it decides: a fitted card can become the next version of one."""

    def base_of(self, measure: Mapping[str, Any]) -> str | None:
        """The policy that decides by this measure; None where none does."""
        ...

    def newest_card(self, project: str, name: str) -> Card | None:
        """The card of the newest version of a policy of the project; None where there is none."""
        ...

    def require_place(
        self, project: str, name: str, measure: Mapping[str, Any], encoder: str | None, good: GoodSide
    ) -> str:
        """The policy that such a card would be based on; refused where it could be none of the project's."""
        ...

    def apply(self, project: str, card: Card) -> str:
        """Store a card as the next version of the policy of its name; its name and version."""
        ...


def metric_choices(review: RunReview) -> list[MetricName]:
    """The metrics that a cutoff can be placed on."""
    return [review.view.index.metrics[at] for at in reading_columns(review.view.index)]


def metric_named(review: RunReview, name: str) -> MetricName:
    """One of them; the first unless it is named."""
    names = metric_choices(review)
    if not names:
        raise SpecError("this run has no readings that a cutoff could be placed on")
    chosen = next((metric for metric in names if metric.name == name), None)
    if name and chosen is None:
        raise SpecError(did_you_mean("metric", name, [metric.name for metric in names]))
    return chosen or names[0]


def fit_readings(
    library: Library,
    found: StudioRun,
    readings: LabelledReadings,
    *,
    name: str,
    metric: MetricName,
    targets: tuple[Target, ...],
    method: Method,
) -> Card | NotCertifiable:
    """The card, or how many labels it lacks; by a process of its own, since a fit imports much."""
    if method != "best_f1" and readings.which != "random":
        raise SpecError(
            "only the random sample may feed a guarantee; fit on it, or choose `best_f1`, which promises "
            "nothing"
        )
    rows, date = readings.rows(), datetime.now(UTC).date().isoformat()
    promised = what_to_promise(name=name, date=date, method=method, targets=targets, share_held_out=HELD_OUT)
    lacking = shortage(rows, method=method, targets=promised, share_held_out=HELD_OUT)
    if lacking is not None:
        return lacking
    measure, notes = measure_of(metric)
    if readings.which == "random" and readings.sample.skipped:
        notes.append(f"{readings.sample.skipped} rows of the random sample were skipped")
    work = partial(
        fit,
        rows,
        name=name,
        measure=measure,
        encoder=metric.fingerprint or None,
        good=readings.good,
        method=method,
        targets=targets,
        data=DataMark(_data_name(found), _digest(rows), len(rows), readings.review.label),
        date=date,
        version=sensecheck.__version__,
        share_held_out=HELD_OUT,
        warnings=notes,
    )
    return library.computed(work, seconds=FIT_SECONDS)


def card_data(card: Card, before: Card | None) -> dict[str, Any]:
    """A fitted card as the page shows it: in full, as a file, and what it changes of the one before."""
    old, new = ({} if one is None else dict(_facts(one)) for one in (before, card))
    return {
        "page": page_data(card),
        "file": card.to_json(),
        "cutoff": card.line,
        "unsure": card.doubt,
        "is_new": before is None,
        "changes": [{"what": name, "before": old.get(name), "after": new.get(name)} for name in new],
        "check": {"kind": "gate", "measure": dict(card.measure), "cutoff": card.name},
    }


def drift_data(
    found: StudioRun, metric: MetricName, numbers: Numbers, cards: Path | None, name: str = ""
) -> dict[str, Any]:
    """The scores of a run beside those of a saved card, the newest unless it is named, and which there are.

    Cards of the same measure and encoder count that are no newer than the run, and were fitted on another.
    """
    measure, _ = measure_of(metric)
    day, data_name = found.run.started_at.date().isoformat(), _data_name(found)
    saved = [] if cards is None or not cards.is_dir() else list(CardLibrary((cards,)).cards())
    alike = [
        candidate
        for candidate in saved
        if dict(candidate.measure) == measure
        and (candidate.encoder or "") == metric.fingerprint
        and candidate.date <= day
        and candidate.data.name != data_name
    ]
    newest = sorted(alike, key=lambda candidate: (candidate.date, candidate.name), reverse=True)
    names = [candidate.name for candidate in newest]
    if name and name not in names:
        raise SpecError(did_you_mean("card", name, names))
    chosen = next((candidate for candidate in newest if name in ("", candidate.name)), None)
    drift = None if chosen is None else drift_of(chosen, numbers)
    return {"cards": names, "drift": None if drift is None else drift.to_data()}


def save_card(card: Card, folder: Path, *, replace: bool) -> Path:
    """Write a card to the folder of cards; one that is there already only where that is wanted."""
    if card.name in CardLibrary.shipped().names():
        raise SpecError(f"a card `{card.name}` comes with sensecheck; give yours another name")
    if card.broken:
        raise SpecError(
            "the held-out rows contradict the promise of this card; label more rows, and fit again"
        )
    path = folder / f"{card.name}.json"
    if path.exists() and not replace:
        raise SpecError(f"`{path}` is already there; look at the differences, and replace it")
    write_whole(path, card.to_json())
    return path


def saved_card(name: str, cards: Path | None) -> Card | None:
    """The card of this name, saved or ours; None where there is none."""
    folders = () if cards is None or not cards.is_dir() else (cards,)
    library = CardLibrary((*folders, *CardLibrary.shipped().folders))
    return library.card(name) if name in library.names() else None


def _facts(card: Card) -> list[tuple[str, str]]:
    """What two cards are compared by."""
    rates = [
        (named_rate.what, _in_words(named_rate.rate))
        for named_rate in named_rates(card, card.rates)
        if named_rate.rate is not None
    ]
    return [
        ("passes", cutoff_in_words(card)),
        ("promise", promise_in_words(card)),
        *rates,
        ("method", METHODS[card.method]),
        ("fitted on", f"{card.fitted.good} good and {card.fitted.bad} bad answers"),
        ("held out", f"{card.held_out.good} good and {card.held_out.bad} bad answers"),
        ("data", f"{card.data.name}, {card.data.rows} rows"),
        ("encoder", card.encoder or "none"),
        ("date", card.date),
    ]


def _in_words(rate: Rate) -> str:
    return f"{percent(rate.value)} ({percent(rate.low)} to {percent(rate.high)}) of {rate.n}"


def measure_of(metric: MetricName) -> tuple[dict[str, Any], list[str]]:
    """The measure behind a metric as data, and what a reader of the card should know of it."""
    try:
        (definition,) = metrics_named([metric.name])
    except SpecError:
        note = f"`{metric.name}` is a column of the run and no measure: no check can name this card"
        return {"kind": metric.name}, [note]
    return dict(measure_to_data(definition.measure)), []


def _data_name(studio_run: StudioRun) -> str:
    """What a card calls the labels of a run."""
    return f"{studio_run.run.test.project} run {studio_run.run.key}"


def _digest(rows: Sequence[Labelled]) -> str:
    """What distinguishes these labels from others; no text is in it."""
    values = [[row.value, row.good, row.group or ""] for row in rows]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()
