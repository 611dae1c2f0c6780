"""Exemplars that stand in two clusters at once, so that they speak for neither."""

from collections.abc import Iterator
from itertools import combinations

from sensecheck.checks.introspection import gates_of
from sensecheck.core.protocols import Check
from sensecheck.core.unicode import squeezed
from sensecheck.measures.exemplars import ClusterMargin


def shared_exemplars(check: Check) -> Iterator[str]:
    """What is said of each exemplar that two clusters have."""
    for gate in gates_of(check):
        if isinstance(gate.measure, ClusterMargin):
            held = {label: set(map(squeezed, texts)) for label, texts in gate.measure.clusters.items()}
            for one, other in combinations(held, 2):
                for text in sorted(held[one] & held[other]):
                    yield f"“{text[:80]}” is an exemplar of `{one}` and of `{other}`; it speaks for neither"
