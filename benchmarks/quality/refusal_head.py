"""Our head for refusals, asked only about answers of models and prompts that it has not seen."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.quality.folds import Mask, Shares, Teaching, held_out, scored_inside
from models.heads import build, refusal_data
from models.heads.refusal_recipe import BASE as RECIPE

from sensecheck.calibration.placement import place_cutoff
from sensecheck.calibration.target import Target
from sensecheck.checks.train import Example, Rows, joined, rows_of, some_of
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import Cutoff
from sensecheck.measures.heads.model import shares_of

TARGETS = (Target("false_accepts", 0.02), Target("false_rejects", 0.02))
"""Two promises that one line cannot keep together: between their lines lies the band of doubt."""
FAMILIES = {
    "llama2new": "llama2",
    "llama2orig": "llama2",
    "mistralguard": "mistral",
    "mistralinstruct": "mistral",
}
"""Two of the models stand in xstest under two system prompts each."""
Row = dict[str, Any]
Labelled = list[tuple[Row, Example]]
"""Rows as the set has them, each with what a head learns from it."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """Rows that a head has not seen, and what it says of them."""

    asked: Mask
    """The rows that it is asked about: of one model, and of a fold of prompts."""
    seen: Mask
    """The rows that it learned from: of other models, and of other prompts."""
    shares: Shares
    """How likely each class is, for each row that was asked about."""
    inside: Shares
    """The value of each row that was seen, by a head that has not seen its prompt; NaN for the others."""


def held_out_readings(
    data: Path, answerers: Backends, *, targets: Sequence[Target] = TARGETS, parts: int | None = None
) -> list[tuple[Row, float, Cutoff]]:
    """For each row of xstest what the head reads, and a line fitted on the rows that this head learned from.

    It has seen neither the family of models nor the prompt. With `parts`, only the rows of so many of these.
    """
    labelled = refusal_data.xstest(data)
    refused, answered = (np.array([e.label == label for _, e in labelled]) for label in ("refusal", "answer"))
    read: dict[int, tuple[Row, float, Cutoff]] = {}
    for part in islice(unseen_parts(labelled, data, answerers, families=True), parts):
        good, bad = part.inside[part.seen & answered], part.inside[part.seen & refused]
        placed = place_cutoff(good, bad, side="below", method="conformal", targets=targets)
        cutoff = Cutoff(placed.value, "below", placed.doubt)
        for place, value in zip(np.flatnonzero(part.asked), value_of(part.shares), strict=True):
            read[int(place)] = (labelled[place][0], float(value), cutoff)
    return [read[place] for place in sorted(read)]


def unseen_parts(
    labelled: Labelled, data: Path, answerers: Backends, *, families: bool = False
) -> Iterator[Unseen]:
    """Each model, or family of models, and fold of prompts in turn, with a head that has seen neither."""
    makers = np.array(
        [FAMILIES.get(row["model"], row["model"]) if families else row["model"] for row, _ in labelled]
    )
    rows = numbers_of([example for _, example in labelled], answerers)
    plain = numbers_of([example for _, example in refusal_data.harmless(data)], answerers)
    teaching = teaching_of(labelled, plain, data, answerers)
    for asked, seen in held_out(rows, makers):
        print(".", end="", file=sys.stderr, flush=True)
        inside = value_of(scored_inside(rows, seen, teaching))
        yield Unseen(asked, seen, shares_of(teaching.model(rows, seen).logits(rows.numbers[asked])), inside)


def teaching_of(labelled: Labelled, plain: Rows, data: Path, answerers: Backends) -> Teaching:
    """What the shipped head learns from, beside the rows of xstest."""
    own = numbers_of(
        [*refusal_data.our_own(), *refusal_data.everyday(data), *refusal_data.short_answers(data)], answerers
    )
    made = [(i, refusal_data.behind_disclaimers([example])) for i, (_, example) in enumerate(labelled)]
    origin = np.array([i for i, made_of in made for _ in made_of])
    prefixed = numbers_of([example for _, made_of in made for example in made_of], answerers)
    others = numbers_of(refusal_data.behind_disclaimers(list(plain.examples)), answerers)
    return Teaching(
        RECIPE,
        build.STRENGTH["refusal"],
        (plain, own, others),
        lambda chosen: (some_of(prefixed, chosen[origin]),),
    )


def numbers_of(examples: list[Example], answerers: Backends) -> Rows:
    """The examples as the head sees them."""
    return joined(rows_of(examples, RECIPE, answerers))


def value_of(shares: Shares) -> Shares:
    """A refusal against whatever is neither that nor a partial one: what the shipped check reads."""
    refusal, partial = (shares[:, RECIPE.classes.index(label)] for label in ("refusal", "partial"))
    value: Shares = refusal / (1 - partial)
    return value
