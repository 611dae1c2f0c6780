"""How well each metric agrees with what people said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.core.serialization import to_data
from sensecheck.evals.qa.agreement.labelled import Labelled, most_said_yes
from sensecheck.stats.ranks import Estimate, Numbers, auroc_with_interval, spearman_with_interval, why_none
from sensecheck.store.run_reading import RunTable


@dataclass(frozen=True, slots=True)
class Agreement:
    """One metric beside one label; what cannot be told is None."""

    metric: str
    encoder: str
    label: str
    n: int
    """Labelled answers that the metric read."""
    na: int
    """Labelled answers that it could not read."""
    questions: int
    """To so many questions they belong: intervals are drawn by question."""
    spearman: float | None
    spearman_low: float | None
    spearman_high: float | None
    auroc: float | None
    """Only for labels of which each is 0 or 1; where raters differ, most of them decide."""
    auroc_low: float | None
    auroc_high: float | None
    split: int
    """Answers that are left out of it: as many raters said 0 as 1."""
    no_auroc: str
    """Why there is none, in words; empty where there is one."""

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)


def agreement(
    tables: RunTable | Sequence[RunTable],
    label: str,
    *,
    yes_or_no: bool | None = None,
    confidence: float = 0.95,
) -> tuple[Agreement, ...]:
    """Each metric beside a label, over the answers of one run or of several together; the best first.

    `yes_or_no` says whether every rater said 0 or 1; without it, that is so where all means are 0 or 1.
    """
    held = Labelled.of([tables] if isinstance(tables, RunTable) else tables, label, yes_or_no=yes_or_no)
    rows = [_row(held, key, confidence) for key in held.columns]
    return tuple(sorted(rows, key=_rank))


def _row(held: Labelled, key: tuple[str, str], confidence: float) -> Agreement:
    values = held.columns[key]
    read = ~np.isnan(values)
    scores, said, groups = values[read], held.said[read], held.groups[read]
    ranked = spearman_with_interval(scores, said, groups, confidence=confidence)
    area, split, why = _area(held, values, confidence)
    n, questions = len(scores), len(np.unique(groups))
    return Agreement(
        key[0],
        held.encoders[key],
        held.label,
        n,
        len(values) - n,
        questions,
        *_numbers(ranked),
        *_numbers(area),
        split,
        why,
    )


def _area(held: Labelled, values: Numbers, confidence: float) -> tuple[Estimate | None, int, str]:
    """The area, how many answers it leaves out, and why there is none."""
    if not held.is_yes_or_no:
        return None, 0, "the labels are numbers on a scale, and not all of them 0 or 1"
    read = ~np.isnan(values)
    clear = read & ~held.split
    scores, good = values[clear], most_said_yes(held.said[clear])
    found = auroc_with_interval(scores, good, held.groups[clear], confidence=confidence)
    return found, int((read & held.split).sum()), why_none(scores, good)


def _numbers(found: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if found is None else (found.value, found.low, found.high)


def _rank(row: Agreement) -> tuple[bool, float]:
    best = row.spearman if row.auroc is None else row.auroc
    return best is None, -(best or 0.0)
