"""Groundings for tests: the real model with a line that was picked by hand."""

from sensecheck.checks.grounded import Grounded
from sensecheck.checks.policies import POLICIES
from sensecheck.core.cutoff import at_least
from sensecheck.core.sample import Sample
from sensecheck.grounding.grounding import Grounding, grounding_of
from sensecheck.sense import Sense

MOON = (
    "Neil Armstrong walked on the Moon on 20 July 1969. Michael Collins stayed in orbit. "
    "The mission cost 355 million dollars."
)
HOSTILE = "<img src=x onerror=alert(1)>[bold red]\x1b[5m\u202e</style>"


def found(sense: Sense, answer: str, *passages: str, question: str | None = None) -> Grounding:
    """What is found of an answer."""
    sample = Sample(answer, question, passages=passages)
    verdict = sense.judge(sample, Grounded(at_least(0.5, doubt=(0.35, 0.6))))
    return grounding_of(sample, verdict, POLICIES["fast"])
