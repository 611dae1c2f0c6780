"""What a check is made of: its parts, its gates and its cutoffs.

Cutoffs are listed and exchanged, a check is described without the one that is to be fitted, and those that
are not calibrated are named.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sensecheck.calibration.decision import OPEN, digest_of
from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.weighted import Scored
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.core.registry import measure_to_data
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.entailment import Entailment

_SENTENCE = "The museum opens at nine."
_PROBE = Sample(_SENTENCE, question="When does it open?", expected=_SENTENCE, passages=(_SENTENCE,))
"""Something to ask a measure about, to see whether it asks a model."""


def parts_of(check: Check) -> tuple[Check, ...]:
    """The checks that a check is made of; none for one that decides by itself."""
    if isinstance(check, Not | Against):
        return (check.check,)
    if isinstance(check, AllOf | AnyOf | Cascade):
        return check.checks
    return tuple(part.check for part in check.parts) if isinstance(check, Scored) else ()


def gates_of(check: Check) -> Iterator[Gate]:
    """The gates in a check, in their order; those of a check of claims are its cutoffs."""
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


def cutoffs_of(check: Check) -> Iterator[Cutoff]:
    """Every cutoff in a check, and in the checks that it is made of."""
    if isinstance(check, Gate) and check.cutoff is not None:
        yield check.cutoff
    elif isinstance(check, Grounded):
        yield from filter(None, (check.words, check.reader))
    else:
        for part in parts_of(check):
            yield from cutoffs_of(part)


def with_cutoffs(check: Check, change: Callable[[Cutoff], Cutoff]) -> Check:
    """The same check with each of its cutoffs changed."""
    if isinstance(check, Gate):
        return check if check.cutoff is None else replace(check, cutoff=change(check.cutoff))
    if isinstance(check, Grounded):
        read = None if check.reader is None else change(check.reader)
        return replace(check, words=change(check.words), reader=read)
    return _with_parts(check, lambda part: with_cutoffs(part, change))


def uncalibrated(check: Check) -> tuple[str, ...]:
    """The gates that compare a model's reading with a cutoff that was not fitted, as `means (similarity)`.

    A rule on the words themselves has no cutoff to fit.
    """
    if isinstance(check, Scored):
        return tuple(dict.fromkeys(name for part in check.parts for name in uncalibrated(part.check)))
    names = (
        gate.name
        for gate in gates_of(check)
        if gate.cutoff is not None and not gate.cutoff.calibrated and gate.measure.needs(_PROBE)
    )
    return tuple(name if name == check.name else f"{check.name} ({name})" for name in dict.fromkeys(names))


def may_be_unsure(check: Check) -> bool:
    """Whether a second opinion could ever be asked for: some cutoff has an unsure band."""
    if isinstance(check, Gate):
        return check.cutoff is not None and check.cutoff.doubt is not None
    if isinstance(check, Cascade):
        return may_be_unsure(check.checks[-1])
    return isinstance(check, Grounded) or any(map(may_be_unsure, parts_of(check)))


def settled(check: Check) -> Check:
    """The check, in which each fitted cutoff knows whether this is the check that its promise is about.

    A cutoff that was fitted on a reading alone keeps its promise in a gate, where nothing else decides; one
    that was fitted for a whole check keeps it where that very check stands. Others keep no promise here.
    """
    if all(cutoff.certificate is None for cutoff in cutoffs_of(check)):
        return check
    return _settled(with_cutoffs(check, lambda cutoff: _certified_for(cutoff, "")))


def described(check: Check, line: Cutoff) -> dict[str, Any]:
    """The check as data, without names and promises, and with `this card` in the place of one line."""

    def cutoff_data(cutoff: Cutoff | None) -> Any:
        if cutoff is line or cutoff is None:
            return OPEN if cutoff is line else None
        return {
            key: item for key, item in cutoff.to_data().items() if key in ("at_least", "at_most", "doubt")
        }

    if isinstance(check, Gate):
        english = {"english": check.english} if check.english is not None else {}
        measure = measure_to_data(check.measure)
        return {"kind": "gate", "measure": measure, "cutoff": cutoff_data(check.cutoff), **english}
    if isinstance(check, Grounded):
        measure, words = measure_to_data(check.measure), cutoff_data(check.words)
        return {"kind": "claims", "measure": measure, "words": words, "reader": cutoff_data(check.reader)}
    if isinstance(check, Against):
        return described(check.check, line)
    if isinstance(check, Not):
        return {"kind": "not", "check": described(check.check, line)}
    if isinstance(check, AllOf | AnyOf | Cascade):
        kind = "cascade" if isinstance(check, Cascade) else check.kind
        return {"kind": kind, "checks": [described(part, line) for part in check.checks]}
    raise SpecError(f"`{check.name}` is a {type(check).__name__}; only our own kinds of check are data")


def line_data(line: Cutoff) -> dict[str, Any]:
    """A cutoff in a check as data: which check keeps its promise is found out when it is read."""
    return _certified_for(line, "").to_data()


def _settled(check: Check) -> Check:
    whole = _with_parts(check, _settled)
    for cutoff in list(cutoffs_of(whole)):
        if cutoff.certificate is not None and _is_promised_for(whole, cutoff):
            certified = _certified_for(cutoff, whole.name)
            whole = with_cutoffs(whole, lambda each, old=cutoff, new=certified: new if each is old else each)  # type: ignore[misc]
    return whole


def _is_promised_for(check: Check, cutoff: Cutoff) -> bool:
    """Whether this check is the one that the cutoff's promise is about."""
    assert cutoff.certificate is not None, "only a fitted cutoff promises anything"
    if not cutoff.certificate.check:
        return isinstance(check, Gate)
    try:
        return cutoff.certificate.check.rpartition("#")[2] == digest_of(described(check, cutoff))
    except SpecError:
        return False


def _certified_for(cutoff: Cutoff, name: str) -> Cutoff:
    if cutoff.certificate is None:
        return cutoff
    by_claims = tuple(replace(entry, cutoff=_certified_for(entry.cutoff, name)) for entry in cutoff.by_claims)
    return replace(cutoff, certificate=replace(cutoff.certificate, kept_by=name), by_claims=by_claims)


def _with_parts(check: Check, change: Callable[[Check], Check]) -> Check:
    """A check with each of those changed that it is made of."""
    if isinstance(check, Not | Against):
        return replace(check, check=change(check.check))
    if isinstance(check, AllOf | AnyOf | Cascade):
        return replace(check, checks=tuple(map(change, check.checks)))
    if isinstance(check, Scored):
        return replace(check, parts=tuple(replace(part, check=change(part.check)) for part in check.parts))
    return check
