"""What does not fit: where an answer's facts differ from those of the passages, claim by claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sensecheck.measures.claims.claims import Claim
from sensecheck.measures.facts.comparing import compare
from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.support.roles import role_swaps
from sensecheck.measures.support.source import Sentence, Source

Kind = Literal[
    "number_mismatch",
    "unit_mismatch",
    "date_mismatch",
    "name_mismatch",
    "negation_mismatch",
    "opposite_mismatch",
    "quantifier_mismatch",
    "role_swap",
    "derived_number",
]
DERIVED: Kind = "derived_number"
"""What the passages do not say, but can be calculated from them, or the question gave: left open."""
_LONGEST = 1200
"""Characters of the longest claim or sentence whose roles are compared."""
MISMATCHES: tuple[str, ...] = tuple(kind for kind in get_args(Kind) if kind != DERIVED)
_KINDS: dict[str, Kind] = {
    "number": "number_mismatch",
    "unit": "unit_mismatch",
    "date": "date_mismatch",
    "name": "name_mismatch",
    "negation": "negation_mismatch",
    "opposite": "opposite_mismatch",
    "comparison": "quantifier_mismatch",
    "quantifier": "quantifier_mismatch",
}


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing in a claim that does not fit, and the nearest thing in the source."""

    kind: Kind
    changed: bool
    """Whether the source says something else in its place; otherwise it says nothing of it."""
    answer: tuple[int, int]
    source: tuple[int, int] | None
    passage: int | None
    note: str


def fact_signals(
    answer: str, claims: Sequence[Claim], source: Source, *, question: str | None = None
) -> list[list[Signal]]:
    """For each claim, where its facts differ from those of the passages."""
    order = [passage for passage, _, _ in source.spread]
    compared = compare(answer, [source.passages[passage] for passage in order], question)
    found = [_signal(difference, order) for difference in compared.differences]
    return [
        [signal for signal in found if signal and claim.start <= signal.answer[0] < claim.end]
        for claim in claims
    ]


def _signal(found: Difference, order: Sequence[int]) -> Signal | None:
    """A difference as a signal; what only the passages say is none."""
    if found.answer is None or found.change == "missing":
        return None
    passage = None if found.reference is None else order[found.reference]
    changed = found.change == "changed"
    kind = DERIVED if found.derived else _KINDS[found.kind]
    return Signal(kind, changed, found.answer, found.source, passage, found.note)


def role_signals(claim: Claim, evidence: Sequence[Sentence]) -> list[Signal]:
    """Where a claim says who did what to whom the other way round than its best evidence."""
    return [
        Signal(
            "role_swap",
            True,
            (claim.start + here[0], claim.start + here[1]),
            (sentence.start + there[0], sentence.start + there[1]),
            sentence.passage,
            f"the answer says `{claim.text[slice(*here)]}`; it says `{sentence.text[slice(*there)]}`",
        )
        for sentence in evidence[:1]
        if max(len(claim.text), len(sentence.text)) <= _LONGEST
        for here, there in role_swaps(claim.stated, sentence.text)
    ]
