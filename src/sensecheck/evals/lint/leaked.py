"""Exemplars that the line itself was fitted on: there it looks better than it is."""

from collections.abc import Iterable, Iterator, Mapping

from sensecheck.checks.calibrate import Leaks
from sensecheck.checks.gate import Gate
from sensecheck.checks.introspection import gates_of
from sensecheck.core.protocols import Check
from sensecheck.measures.exemplars import ClusterMargin, NearestExemplar
from sensecheck.measures.similarity import Similarity


def data_with_exemplars(check: Check) -> Iterator[str]:
    """The labelled files behind lines on likeness to exemplars, as `name#hash`."""
    return (data for gate in gates_of(check) if (data := _data(gate)))


def leaked_exemplars(check: Check, answers: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """What is said of lines that were fitted on the exemplars they are held against."""
    for gate in gates_of(check):
        data = _data(gate)
        leaks = Leaks(gate.measure)
        for answer in answers.get(data, ()):
            leaks.see(answer)
        if leaks.exemplars:
            yield (
                f"{leaks.exemplars} of the {leaks.answers} answers in `{data.partition('#')[0]}`, on which "
                f"the line of `{gate.name}` was fitted, are among its own exemplars; its promise may not hold"
            )


def _data(gate: Gate) -> str:
    """What its line was fitted on; nothing for a line that nobody fitted, or a measure without exemplars."""
    if gate.cutoff is None or gate.cutoff.certificate is None:
        return ""
    holds = isinstance(gate.measure, ClusterMargin | NearestExemplar | Similarity)
    return gate.cutoff.certificate.fitted_on.partition(" ")[0] if holds else ""
