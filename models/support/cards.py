"""The line on the words' support, fitted on answers that the weights for the words did not learn from."""

import hashlib
import json
from collections.abc import Sequence
from random import Random

from models.support.rows import HELD_OUT, LICENCES, Row

import sensecheck
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.target import Target
from sensecheck.checks.calibrate import LabelledSample, fit_card, read_each
from sensecheck.core.backends import Backends
from sensecheck.measures.support.groundedness import groundedness

NATURAL = ("begin", "factcheck_gpt", "squad2_derived")
"""What people and models wrote; the words can tell."""
MOST = 900
"""At most so many rows of a set."""
PROMISES = (Target("false_accepts", 0.15, 0.95), Target("false_rejects", 0.15, 0.95))


def grounded_card(held: Sequence[Row], answerers: Backends, date: str) -> Card:
    """The card of the words' support, or an exit that says what is missing."""
    unseen = labelled(held)
    told = json.dumps([[row.sample.answer, row.good] for row in unseen]).encode()
    found = fit_card(
        read_each(unseen, groundedness(), answerers),
        groundedness(),
        name="grounded",
        good="above",
        method="exact",
        targets=PROMISES,
        data=DataMark("+".join(NATURAL), hashlib.sha256(told).hexdigest(), len(unseen)),
        date=date,
        version=sensecheck.__version__,
        licence="; ".join(LICENCES[name] for name in NATURAL),
        skip_unreadable=True,
    )
    if not isinstance(found, Card):
        raise SystemExit(f"the card `grounded` cannot be had: {found}")
    return found


def labelled(held: Sequence[Row]) -> list[LabelledSample]:
    """Rows of the held-out fold, of each set about as many."""
    rng, found = Random(0), []
    for name in NATURAL:
        own = [row for row in held if row.fold == HELD_OUT and row.source == name]
        found += rng.sample(own, min(MOST, len(own)))
    return [LabelledSample(row.sample, row.supported, row.group, {"set": row.source}) for row in found]
