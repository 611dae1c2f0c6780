"""The figures of a card as people read them, the same on a page and in a terminal."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sensecheck.calibration.card import Card
from sensecheck.calibration.rates import Rates
from sensecheck.calibration.target import Errors
from sensecheck.core.cutoff import Rate

WHAT: dict[Errors, str] = {
    "false_accepts": "bad answers that pass",
    "false_rejects": "good answers that fail",
}
UNSURE = "answers left unsure"
NOTHING_HELD_OUT = "No rows were held out, so that there is no rate to tell and nothing to draw."
METHODS = {"exact": "exact", "conformal": "conformal", "best_f1": "best F1"}


@dataclass(frozen=True, slots=True)
class Told:
    """One rate of a card, and what was promised of it."""

    what: str
    rate: Rate | None
    promised: str = ""
    """`promised: at most 5%`; empty where nothing was."""


def told(card: Card, rates: Rates) -> Iterator[Told]:
    """The rates, each under its name; that of doubt only where there can be any."""
    limits = {target.errors: f"promised: at most {percent(target.at_most)}" for target in card.targets}
    yield Told(WHAT["false_accepts"], rates.false_accepts, limits.get("false_accepts", ""))
    yield Told(WHAT["false_rejects"], rates.false_rejects, limits.get("false_rejects", ""))
    if card.doubt is not None or card.rates.unsure is not None:
        yield Told(UNSURE, rates.unsure)


def promise_in_words(card: Card) -> str:
    """The promise as a sentence."""
    text = card.promise.replace("<=", "≤")
    return f"{text[:1].upper()}{text[1:]}."


def percent(share: float) -> str:
    """`3.1%`; only none is `0%` and only all is `100%`."""
    for places in (1, 2, 4, 8):
        shown = f"{100 * share:.{places}f}"
        if share in (0, 1) or float(shown) not in (0, 100):
            break
    return f"{shown.rstrip('0').rstrip('.')}%"


def interval(rate: Rate) -> str:
    """`1% to 7.1%`."""
    return f"{percent(rate.low)} to {percent(rate.high)}"


def hits(rate: Rate) -> str:
    """`4 of 128`."""
    return f"{round(rate.value * rate.n)} of {rate.n}"


def in_full(rate: Rate | None) -> str:
    """`3.1% (4 of 128; 95% interval 1% to 7.1%)`."""
    if rate is None:
        return "no such answers were held out"
    return f"{percent(rate.value)} ({hits(rate)}; 95% interval {interval(rate)})"


def line_in_words(card: Card) -> str:
    """`at least 0.52, unsure from 0.48 to 0.52`."""
    lines = sorted({one.line for one in card.claims})
    if len(lines) > 1:
        word = "at least" if card.good == "above" else "at most"
        return f"{word} {number(lines[0])} to {number(lines[-1])}"
    return in_words_of(card.good, card.line, card.doubt)


def in_words_of(good: str, line: float, doubt: tuple[float, float] | None) -> str:
    """The same for any line."""
    word = "at least" if good == "above" else "at most"
    band = f", unsure from {number(doubt[0])} to {number(doubt[1])}" if doubt else ""
    return f"{word} {number(line)}{band}"


def number(value: float) -> str:
    """A number in full, as it decides: `0.52`."""
    return f"{value:.15g}"


def precision(card: Card) -> str:
    """`computed in fp32, decided in float32`, as far as the encoder's fingerprint tells it."""
    told = (card.encoder or "").split(":")
    computed = [f"computed in {part[-4:]}, " for part in told if part.endswith(("-fp32", "-bf16"))]
    rounded = "rounded to float16, " if told[-1] == "float16" else ""
    return f"{''.join(computed)}{rounded}decided in float32"


def measured(card: Card) -> str:
    """What is read: the measure's name."""
    return str(card.measure.get("kind", "reading"))


def measure_in_full(card: Card) -> str:
    """The measure as data."""
    return json.dumps(card.measure, ensure_ascii=False, indent=2)
