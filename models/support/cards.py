"""The lines of the policies, fitted on answers that neither model learned from."""

import hashlib
import json
from collections.abc import Sequence
from random import Random
from typing import Literal

from models.support.rows import HELD_OUT, LICENCES, Row

import sensecheck
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.shelf import shipped_card
from sensecheck.calibration.target import Target
from sensecheck.checks.calibrating import calibrate, read_each
from sensecheck.checks.labelled import LabelledSample
from sensecheck.core.encoder import Answerers
from sensecheck.core.protocols import Measure
from sensecheck.measures.support.groundedness import groundedness
from sensecheck.measures.support.verified import Verified

NATURAL = ("begin", "factcheck_gpt", "squad2_derived")
"""What people and models wrote; the words can tell."""
MOST = 900
"""At most so many rows of a set."""
EDITED = ("squad2_derived", "summedits", "perturbed", "factcheck_gpt", "begin")


def grounded_card(held: Sequence[Row], answerers: Answerers, date: str) -> Card:
    """The line on the words' support."""
    targets = (Target("false_accepts", 0.15, 0.95), Target("false_rejects", 0.15, 0.95))
    return _card("grounded", groundedness(), "above", labelled(held, NATURAL), targets, answerers, date)


def verified_card(held: Sequence[Row], answerers: Answerers, date: str) -> Card:
    """The line on the cross-encoder's log odds, for answers with which the words find nothing wrong."""
    targets = (Target("false_accepts", 0.2, 0.95), Target("false_rejects", 0.2, 0.95))
    asked = not_rejected(labelled(held, EDITED, most=500), answerers)
    return _card("verified", Verified(), "below", asked, targets, answerers, date)


def not_rejected(rows: Sequence[LabelledSample], answerers: Answerers) -> list[LabelledSample]:
    """The rows that the second reader is asked about."""
    line = shipped_card("grounded").cutoff()
    read = read_each(rows, groundedness(), answerers)
    return [row for row, found in read if found.reading and line.side(found.reading.value) != "fail"]


def labelled(held: Sequence[Row], sets: Sequence[str], *, most: int = MOST) -> list[LabelledSample]:
    """Rows of the held-out fold, of each set about as many."""
    rng, found = Random(0), []
    for name in sets:
        own = [row for row in held if row.fold == HELD_OUT and row.source == name]
        found += rng.sample(own, min(most, len(own)))
    return [LabelledSample(row.sample, row.supported, row.group, {"set": row.source}) for row in found]


def _card(
    name: str,
    measure: Measure,
    good: Literal["above", "below"],
    unseen: Sequence[LabelledSample],
    targets: Sequence[Target],
    answerers: Answerers,
    date: str,
) -> Card:
    told = json.dumps([[row.sample.answer, row.good] for row in unseen]).encode()
    sets = "+".join(sorted({row.slices["set"] for row in unseen}))
    mark = DataMark(sets, hashlib.sha256(told).hexdigest(), len(unseen))
    found = calibrate(
        read_each(unseen, measure, answerers),
        measure,
        name=name,
        good=good,
        method="exact",
        targets=targets,
        data=mark,
        date=date,
        version=sensecheck.__version__,
        licence="; ".join(LICENCES[name] for name in sets.split("+")),
        leave_out_unread=True,
    )
    if not isinstance(found, Card):
        raise SystemExit(f"the card `{name}` cannot be had: {found}")
    return found
