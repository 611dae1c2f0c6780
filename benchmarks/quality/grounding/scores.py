"""What each rule reads of each answer, as one number: the higher, the less supported."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from benchmarks.quality.grounding.ranks import Mask, Numbers, Texts
from benchmarks.quality.grounding.rows import Row

from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import POLICIES
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.verdict import Verdict
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import PassageSimilarity
from sensecheck.measures.support.groundedness import groundedness
from sensecheck.sense import Sense

COMMON, OVERLAP, COSINE, WORDS, DEFAULT = RULES = (
    "similarity or keywords",
    "keyword overlap",
    "cosine",
    "words",
    "`default`",
)
NEAR, HELD = 0.7, 0.5
"""The lines of the common rule, on the cosine and on the overlap of long words."""
DECIDE = ("similarity-or-keywords", "fast", "default", "strict")
"""The policies that are compared."""
_LONG = "overlap of long words"
AT_ONCE = 16
"""So many rows are read before it is told how far it has come, and their pairs are kept."""


@dataclass(frozen=True, slots=True)
class RowRead:
    """One answer: its label, what the rules read of it, and what the policies made of it."""

    unsupported: bool
    group: str
    kind: str
    scores: Mapping[str, float]
    """By rule; empty where one of them could not read it, as when it states nothing."""
    outcomes: Mapping[str, str]
    """By policy."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Rows of one set that every rule can read, and what each reads of them."""

    unsupported: Mask
    groups: Texts
    kinds: Texts
    by_rule: Mapping[str, Numbers]
    read: tuple[RowRead, ...]
    left_out: int = 0
    """Rows that some rule could not read."""

    @classmethod
    def of(cls, rows: Sequence[RowRead]) -> "Scored":
        """The rows as arrays."""
        held = tuple(row for row in rows if row.scores)
        return cls(
            np.array([row.unsupported for row in held], bool),
            np.array([row.group for row in held], np.str_),
            np.array([row.kind for row in held], np.str_),
            {rule: np.array([row.scores[rule] for row in held], float) for rule in RULES},
            held,
            len(rows) - len(held),
        )

    @property
    def has_both_labels(self) -> bool:
        """Whether there is anything to tell apart."""
        return bool(self.unsupported.any() and not self.unsupported.all())

    def of_kinds(self, *kinds: str) -> "Scored":
        """The rows of these kinds."""
        return Scored.of([row for row in self.read if row.kind in kinds])


def read(rows: Sequence[Row], sense: Sense, name: str) -> Iterator[RowRead]:
    """Each row, in order; how far it has come is told as it goes."""
    checks = _checks()
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        verdicts = sense.judge_each((row.sample, check) for row in part for check in checks.values())
        for row in part:
            said = dict(zip(checks, verdicts, strict=False))  # the verdicts of later rows stay for these
            outcomes = {policy: said[policy].outcome for policy in DECIDE}
            yield RowRead(row.unsupported, row.group, row.kind, _scores(said), outcomes)
        print(f"{name}: read {start + len(part):,} of {len(rows):,}", file=sys.stderr, flush=True)


def _checks() -> dict[str, Check]:
    """What is asked of every row: four measures, and the policies."""
    measures: dict[str, Measure] = {
        COSINE: PassageSimilarity(),
        OVERLAP: KeywordOverlap(),
        _LONG: KeywordOverlap("long"),
        WORDS: groundedness(),
    }
    gates: dict[str, Check] = {name: Gate(measure) for name, measure in measures.items()}
    return gates | {policy: POLICIES[policy].check() for policy in DECIDE}


def _scores(said: Mapping[str, Verdict]) -> dict[str, float]:
    """What each rule reads, if all of them can and the answer states something."""
    read = {name: verdict.reading.value for name, verdict in said.items() if verdict.reading is not None}
    if not {COSINE, OVERLAP, _LONG, WORDS, "default"} <= read.keys() or not said["default"].parts:
        return {}
    return {
        COMMON: -max(read[COSINE] - NEAR, read[_LONG] - HELD),
        **{rule: -read[rule] for rule in (OVERLAP, COSINE, WORDS)},
        DEFAULT: -read["default"],
    }
