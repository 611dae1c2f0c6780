"""Assertions on what the answer took: time and money."""

from collections.abc import Callable, Mapping

from sensecheck.checks.gate import Gate
from sensecheck.core.cutoff import at_most
from sensecheck.core.protocols import Check
from sensecheck.evals.assertions.asked import Asked
from sensecheck.evals.assertions.kind import Kind
from sensecheck.evals.assertions.shapes import COUNT
from sensecheck.measures.usage import Cost, Latency


def _spent(measure: Latency | Cost) -> Callable[[Asked], Check]:
    def build(asked: Asked) -> Check:
        return Gate(measure, at_most(asked.number("threshold", least=0.0, most=float("inf"))), asked.type)

    return build


KINDS: Mapping[str, Kind] = {
    "latency": Kind(
        "The answer came within so many milliseconds.",
        _spent(Latency()),
        {"threshold": COUNT},
        ("threshold",),
    ),
    "cost": Kind("The answer cost so much or less.", _spent(Cost()), {"threshold": COUNT}, ("threshold",)),
}
