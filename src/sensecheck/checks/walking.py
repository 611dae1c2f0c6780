"""Looking into checks: the gates they are made of, and what is known of their lines."""

from collections.abc import Iterator

from sensecheck.checks.against import Against
from sensecheck.checks.cascade import Cascade
from sensecheck.checks.combine import AllOf, AnyOf, Not
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.scored import Scored
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.entailment import Entailment

_SAID = "The museum opens at nine."
_PROBE = Sample(_SAID, question="When does it open?", expected=_SAID, passages=(_SAID,))
"""Something to ask a measure about, to see whether it asks a model."""


def parts_of(check: Check) -> tuple[Check, ...]:
    """The checks that a check is made of; none for one that decides by itself."""
    if isinstance(check, Not | Against):
        return (check.check,)
    if isinstance(check, AllOf | AnyOf | Cascade):
        return check.checks
    return tuple(part.check for part in check.parts) if isinstance(check, Scored) else ()


def gates_of(check: Check) -> Iterator[Gate]:
    """The gates in a check, in their order; those of a check of claims are its lines."""
    if isinstance(check, Gate):
        yield check
    elif isinstance(check, Grounded):
        yield Gate(check.measure, check.words, check.name)
        if check.reader is not None:
            yield Gate(Entailment("passages"), check.reader, f"{check.name}, read")
    elif parts := parts_of(check):
        for part in parts:
            yield from gates_of(part)
    elif check.needs(_PROBE, Space()):
        raise SpecError(
            f"`{check.name}` is a {type(check).__name__} that asks a model; its line is not known"
        )


def uncalibrated(check: Check) -> tuple[str, ...]:
    """The gates that hold a model's reading against a line that nobody fitted, as `means (similarity)`.

    A rule on the words themselves has no line to fit.
    """
    if isinstance(check, Scored):
        return tuple(dict.fromkeys(name for part in check.parts for name in uncalibrated(part.check)))
    picked = (gate.name for gate in gates_of(check) if _is_picked(gate) and bool(gate.measure.needs(_PROBE)))
    return tuple(name if name == check.name else f"{check.name} ({name})" for name in dict.fromkeys(picked))


def may_be_unsure(check: Check) -> bool:
    """Whether a second opinion could ever be asked for: some line has a band of doubt."""
    if isinstance(check, Gate):
        return check.cutoff is not None and check.cutoff.doubt is not None
    if isinstance(check, Cascade):
        return may_be_unsure(check.checks[-1])
    return isinstance(check, Grounded) or any(map(may_be_unsure, parts_of(check)))


def _is_picked(gate: Gate) -> bool:
    return gate.cutoff is not None and not gate.cutoff.calibrated
