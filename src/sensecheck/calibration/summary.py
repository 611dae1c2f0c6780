"""The figures of a card as people read them, the same on a page and in a terminal.

Beside its rates in words there are two drawings of the held-out rows: the ROC curve, which shows how well
readings tell good answers from bad ones, and a histogram of both in bins that the cutoff does not cut.
"""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.card import Card, LabelledScores
from sensecheck.calibration.decision import ErrorRates
from sensecheck.calibration.target import Errors
from sensecheck.core.cutoff import Rate, Side

WHAT: dict[Errors, str] = {
    "false_accepts": "bad answers that pass",
    "false_rejects": "good answers that fail",
}
UNSURE = "answers left unsure"
NOTHING_HELD_OUT = "No rows were held out, so that there is no rate to report and nothing to draw."
METHODS = {"exact": "exact", "conformal": "conformal", "best_f1": "best F1"}
Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NamedRate:
    """One rate of a card, and what was promised of it."""

    what: str
    rate: Rate | None
    promised: str = ""
    """`promised: at most 5%`; empty where nothing was."""


@dataclass(frozen=True, slots=True)
class RocPoint:
    """What a cutoff would do: the share of bad answers that pass, and of good ones."""

    bad: float
    good: float


@dataclass(frozen=True, slots=True)
class Roc:
    """Every cutoff that could be drawn, from the one that nothing passes to the one that everything does."""

    points: tuple[RocPoint, ...]
    auc: float
    """How often a good answer reads better than a bad one; half of the ties count."""
    passes: RocPoint
    """What passes the card's cutoff."""
    not_failed: RocPoint | None
    """What passes it or is unsure; None where nothing is ever unsure."""
    whole: bool
    """Whether the card holds every reading; of many it holds a hundred, and the curve is nearly the same."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of numbers; the first is at 0 and the last at 1."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "Scale":
        """The stretch that holds them all, with some room where they are all the same."""
        numbers = list(values)
        low, high = min(numbers), max(numbers)
        room = max(abs(low), abs(high)) * 1e-6 or 1.0
        return cls(low, high) if high / 2 - low / 2 > room / 4 else cls(low - room, high + room)

    @property
    def half(self) -> float:
        """Half the stretch; the whole of it may be larger than any float."""
        return self.high / 2 - self.low / 2

    def place(self, value: float) -> float:
        """Where a number is, from 0 to 1; one from outside is at the edge."""
        return min(max((value / 2 - self.low / 2) / self.half, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bins of equal width from the lowest reading to the highest, with the share of each label in them."""

    edges: tuple[float, ...]
    good: tuple[float, ...]
    """The share of all good answers; together 1, or 0 where there is none."""
    bad: tuple[float, ...]

    def bins(self) -> Iterator[tuple[float, float, float, float]]:
        """From where, to where, the share of the good answers, the share of the bad ones."""
        return zip(self.edges, self.edges[1:], self.good, self.bad, strict=False)


def named_rates(card: Card, rates: ErrorRates) -> Iterator[NamedRate]:
    """The rates, each under its name; that of doubt only where there can be any."""
    limits = {target.errors: f"promised: at most {percent(target.at_most)}" for target in card.targets}
    yield NamedRate(WHAT["false_accepts"], rates.false_accepts, limits.get("false_accepts", ""))
    yield NamedRate(WHAT["false_rejects"], rates.false_rejects, limits.get("false_rejects", ""))
    if card.doubt is not None or card.rates.unsure is not None:
        yield NamedRate(UNSURE, rates.unsure)


def promise_in_words(card: Card) -> str:
    """The promise as a sentence."""
    text = card.promise.replace("<=", "≤")
    return f"{text[:1].upper()}{text[1:]}."


def cutoff_in_words(card: Card) -> str:
    """`at least 0.52, unsure from 0.48 to 0.52`."""
    cutoffs = sorted({fit.line for fit in card.claims})
    if len(cutoffs) > 1:
        word = "at least" if card.good == "above" else "at most"
        return f"{word} {number(cutoffs[0])} to {number(cutoffs[-1])}"
    return describe_cutoff(card.good, card.line, card.doubt)


def describe_cutoff(good: str, line: float, doubt: tuple[float, float] | None) -> str:
    """The same for any cutoff."""
    word = "at least" if good == "above" else "at most"
    band = f", unsure from {number(doubt[0])} to {number(doubt[1])}" if doubt else ""
    return f"{word} {number(line)}{band}"


def in_full(rate: Rate | None) -> str:
    """`3.1% (4 of 128; 95% interval 1% to 7.1%)`."""
    if rate is None:
        return "no such answers were held out"
    return f"{percent(rate.value)} ({hits(rate)}; 95% interval {interval(rate)})"


def percent(share: float) -> str:
    """`3.1%`; only none is `0%` and only all is `100%`."""
    for places in (1, 2, 4, 8):
        text = f"{100 * share:.{places}f}"
        if share in (0, 1) or float(text) not in (0, 100):
            break
    return f"{text.rstrip('0').rstrip('.')}%"


def interval(rate: Rate) -> str:
    """`1% to 7.1%`."""
    return f"{percent(rate.low)} to {percent(rate.high)}"


def hits(rate: Rate) -> str:
    """`4 of 128`."""
    return f"{round(rate.value * rate.n)} of {rate.n}"


def number(value: float) -> str:
    """A number in full, as it decides: `0.52`."""
    return f"{value:.15g}"


def measured(card: Card) -> str:
    """What is read: the measure's name."""
    return str(card.measure.get("kind", "reading"))


def measure_in_full(card: Card) -> str:
    """The measure as data."""
    return json.dumps(card.measure, ensure_ascii=False, indent=2)


def precision(card: Card) -> str:
    """`computed in fp32, decided in float32`, as far as the encoder's fingerprint tells it."""
    parts = (card.encoder or "").split(":")
    computed = [f"computed in {part[-4:]}, " for part in parts if part.endswith(("-fp32", "-bf16"))]
    rounded = "rounded to float16, " if parts[-1] == "float16" else ""
    return f"{''.join(computed)}{rounded}decided in float32"


def roc_of(card: Card) -> Roc | None:
    """The curve; None unless answers of both labels were held out."""
    scores, rates = card.held_out_scores, card.rates
    if not scores.good or not scores.bad or rates.false_accepts is None or rates.false_rejects is None:
        return None
    sign = 1 if card.good == "above" else -1
    good, bad = (np.sort(np.array(values) * sign) for values in (scores.good, scores.bad))
    if card.decides is not None:  # the curve is that of the reading, and other parts of the check decide too
        return _of_reading(card, good, bad)
    not_rejected = 1 - rates.false_rejects.value
    sure = RocPoint(rates.false_accepts.value, not_rejected)
    band = None
    if card.doubt is not None:
        sure = RocPoint(sure.bad, _share("pass", scores.good, card))
        band = RocPoint(1 - _share("fail", scores.bad, card), not_rejected)
    return Roc(_points(good, bad), _auc(good, bad), sure, band, _is_whole(card, scores))


def histogram_of(card: Card) -> Histogram | None:
    """As many bins as the rows can fill; None when nothing was held out.

    A card holds a hundred readings of many, evenly spaced, so that each stands for as many answers.
    The cutoff is between two bins, so that no bar stands on both sides of it.
    """
    scores = card.held_out_scores
    if not scores.good and not scores.bad:
        return None
    scale = Scale.over((*scores.good, *scores.bad, card.line, *(card.doubt or ())))
    count = min(max(round(2 * math.sqrt(len(scores.good) + len(scores.bad))), 10), 36)
    width = scale.half / count * 2
    before = math.ceil((card.line / 2 - scale.low / 2) / width * 2 - 1e-9)
    after = max(math.ceil((scale.high / 2 - card.line / 2) / width * 2 - 1e-9), 1 - before)
    edges = tuple(card.line + width * step for step in range(-before, after + 1))
    return Histogram(edges, _shares(scores.good, card, edges), _shares(scores.bad, card, edges))


def _of_reading(card: Card, good: Values, bad: Values) -> Roc:
    """The curve, with what the card's cutoff alone would do."""
    scores = card.held_out_scores
    sure = RocPoint(_share("pass", scores.bad, card), _share("pass", scores.good, card))
    band = RocPoint(1 - _share("fail", scores.bad, card), 1 - _share("fail", scores.good, card))
    doubtful = band if card.doubt is not None else None
    return Roc(_points(good, bad), _auc(good, bad), sure, doubtful, _is_whole(card, scores))


def _points(good: Values, bad: Values) -> tuple[RocPoint, ...]:
    """From the highest cutoff down; equal readings pass together."""
    cutoffs = np.unique(np.concatenate((good, bad)))[::-1]
    passing = (1 - np.searchsorted(values, cutoffs, side="left") / len(values) for values in (bad, good))
    return (RocPoint(0.0, 0.0), *(RocPoint(float(b), float(g)) for b, g in zip(*passing, strict=True)))


def _auc(good: Values, bad: Values) -> float:
    below = np.searchsorted(bad, good, side="left").sum()
    not_above = np.searchsorted(bad, good, side="right").sum()
    return float(below + not_above) / (2 * len(good) * len(bad))


def _share(side: Side, values: Sequence[float], card: Card) -> float:
    cutoff = card.cutoff()
    return sum(cutoff.side(value) == side for value in values) / len(values)


def _is_whole(card: Card, scores: LabelledScores) -> bool:
    return len(scores.good) == card.held_out.good and len(scores.bad) == card.held_out.bad


def _shares(values: Sequence[float], card: Card, edges: Sequence[float]) -> tuple[float, ...]:
    """The share of the values in each bin; one on an edge is on its better side, as one on the cutoff is."""
    counts = [0] * (len(edges) - 1)
    scale = Scale(edges[0], edges[-1])
    for value in values:
        at = round(scale.place(value) * len(counts), 9)  # 0.1 + 0.2 is on the edge 0.3
        place = math.floor(at) if card.good == "above" else math.ceil(at) - 1
        counts[min(max(place, 0), len(counts) - 1)] += 1
    return tuple(count / max(len(values), 1) for count in counts)
