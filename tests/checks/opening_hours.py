"""Labelled answers about opening hours, written from templates: what lines are calibrated on in tests."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.target import Target
from sensecheck.checks.calibrate import LabelledSample, fit_card, read_each
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.protocols import Measure
from sensecheck.core.sample import Sample
from sensecheck.measures.similarity import Similarity

PLACES = ("library", "museum", "bakery", "post office", "swimming pool", "town hall", "zoo", "pharmacy")
HOURS = ("seven", "eight", "nine", "ten")
GOOD = (
    "You can visit the {place} from {hour} in the morning.",
    "From {hour} o'clock on, the {place} is open.",
    "It opens at {hour}: the {place} lets people in then.",
)
BAD = (
    "Parking near the {place} costs {hour} euros.",
    "A famous architect built the {place} in {hour} years.",
    "My friends and I know {hour} songs about the {place}.",
)
FPR = Target("false_accepts", 0.05)


def labelled() -> Iterator[LabelledSample]:
    """As many good answers as bad ones, 192 in all, in pairs that stay together."""
    for place, hour in product(PLACES, HOURS):
        expected = f"The {place} opens at {hour} in the morning."
        for i, (good, bad) in enumerate(zip(GOOD, BAD, strict=True)):
            for said, is_good in ((good, True), (bad, False)):
                sample = Sample(said.format(place=place, hour=hour), expected=expected)
                yield LabelledSample(sample, is_good, f"{place} {hour} {i}", {"place": place})


def without_expected(row: LabelledSample) -> LabelledSample:
    """A row that nobody can read."""
    return replace(row, sample=replace(row.sample, expected=None))


def outcome(
    encoder: Encoder,
    rows: Iterator[LabelledSample] | None = None,
    measure: Measure | None = None,
    **others: Any,
) -> Card | NotCertifiable:
    """What becomes of the rows, with everything else filled in."""
    asked = measure or Similarity()
    given: dict[str, Any] = {
        "name": "opening-hours",
        "good": "above",
        "method": "exact",
        "targets": (FPR,),
        "data": DataMark("opening_hours.jsonl", "0" * 64, 192),
        "date": "2026-01-31",
        "version": "0.1.0",
    }
    read = read_each(labelled() if rows is None else rows, asked, Backends(encoder))
    return fit_card(read, asked, **(given | others))


def card_of(encoder: Encoder, **others: Any) -> Card:
    """The card, where there are labels enough."""
    found = outcome(encoder, **others)
    assert isinstance(found, Card), found.describe()
    return found
