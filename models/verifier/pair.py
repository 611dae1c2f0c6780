"""A claim and the evidence it is held against."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """One example: whether the evidence supports the claim, and what of the claim it does not support."""

    claim: str
    evidence: str
    unsupported: bool
    kind: str
    """How it came about: `number`, `kept`, `absent`, …, or `natural` for what people or models wrote."""
    source: str
    group: str
    """What must not be split between training and testing: an article, a document, a claim."""
    changed: tuple[tuple[int, int], ...] | None = None
    """The unsupported stretches of the claim; None when only the label of the whole is known."""
