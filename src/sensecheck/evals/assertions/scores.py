"""What assertions are worth together, and what their weighed mean must reach."""

from typing import Final

from sensecheck.evals.node import Node

HEAVIEST: Final = 1_000_000


def weight_of(node: Node) -> float:
    """What an assertion is worth beside the others."""
    return node.number("`weight`", least=0.0, most=HEAVIEST)


def score_of(node: Node, what: str) -> float:
    """The score that must be reached: more than 0, or nothing could fall short of it."""
    score = node.number(what, least=0.0, most=1.0)
    if score == 0:
        raise node.wrong(f"with {what} of 0 it could never fail; take it out")
    return score
