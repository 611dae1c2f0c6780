"""Labelled readings, and fits of them with everything else filled in."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.fit import fit
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.target import Target

FPR = Target("false_accepts", 0.05)
FNR = Target("false_rejects", 0.1)
DATA = DataMark("labels.jsonl", "0" * 64, 300)


def normal_rows(seed: int, good: int, bad: int, *, apart: float = 2.5) -> list[Labelled]:
    """Normal readings, good ones above bad ones."""
    chance = np.random.default_rng(seed)
    values = (*chance.normal(apart, 1, good), *chance.normal(0, 1, bad))
    return [Labelled(float(value), i < good) for i, value in enumerate(values)]


def fitted(rows: Sequence[Labelled], *targets: Target, **others: Any) -> Card | NotCertifiable:
    """What becomes of the rows."""
    given: dict[str, Any] = {
        "name": "words",
        "measure": {"kind": "keyword_overlap"},
        "encoder": None,
        "good": "above",
        "method": "exact",
        "data": DATA,
        "date": "2026-01-31",
        "version": "0.1.0",
    }
    return fit(rows, targets=targets, **(given | others))


def card_of(rows: Sequence[Labelled], *targets: Target, **others: Any) -> Card:
    """The card, where there are labels enough."""
    found = fitted(rows, *targets, **others)
    assert isinstance(found, Card), found.describe()
    return found


def turned(rows: Iterable[Labelled]) -> list[Labelled]:
    """The same rows of a reading that is good below its line."""
    return [Labelled(-row.value, row.good, row.group, row.slices) for row in rows]
