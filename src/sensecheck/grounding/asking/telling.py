"""The sentences that say most of a passage, for questions about all of it."""

import numpy as np

from sensecheck.core.space import Space
from sensecheck.grounding.asking.fitting import has_wanted
from sensecheck.grounding.asking.question import Question
from sensecheck.grounding.asking.quotable import Quotable, Quotables
from sensecheck.measures.claims.evidence import gather

_ENOUGH = 120
"""In words: what is told of a passage is no longer, unless a single sentence is."""


def telling_most(
    question: Question, found: Quotables, space: Space, *, most: int
) -> list[tuple[Quotable, float]]:
    """One sentence for `What is this?`, a few for `Summarise`; of those with a date for `When was this?`.

    Texts open with what they are about, so that the first sentence is the one, unless a date, a number or a
    name is asked for. The others are those that together hold most words and lie near to the middle.
    """
    asked = [one for one in found.each if question.wanted is None or has_wanted(question, one)]
    told = [one for one in asked if one.prose and one.stems] or asked
    if not told or not question.sums:
        return [(one, 1.0) for one in told[:1]]
    placed = np.stack([space.vector(one.read) for one in told])
    middle = placed.mean(axis=0)
    chosen = gather(
        frozenset(found.rarity),
        [one.stems for one in told],
        placed @ (middle / (np.linalg.norm(middle) or 1.0)),
        lengths=[max(1, len(one.read.split())) for one in told],
        rare=found.rarity,
        words=_ENOUGH,
    )
    return [(told[at], 1.0) for at in sorted(chosen[:most])]
