"""Which assertions of a battery ask a judge, and what to say before they are run without one."""

from collections.abc import Iterator

from sensecheck.checks.gate import Gate
from sensecheck.checks.introspection import parts_of
from sensecheck.core.errors import CannotJudge
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.text.escaping import counted

_TEXT = "The museum opens at nine."
_PROBE = Sample(_TEXT, question="When does it open?", expected=_TEXT, passages=(_TEXT,))
"""Something to ask a check about, to see whether it would send a prompt."""


def count_judged(check: Check) -> int:
    """How many of the checks in a check ask a judge, be it only where another one is unsure."""
    return sum(map(_asks_judge, _leaves(check)))


def without_judge(count: int) -> str:
    """What to say where no judge is set, though so many assertions ask one."""
    asking = f"{counted(count, 'assertion')} {'asks' if count == 1 else 'ask'} a judge"
    return f"{asking}; none is set: SENSECHECK_JUDGE=openai:URL#MODEL"


def _leaves(check: Check) -> Iterator[Check]:
    if not (parts := parts_of(check)):
        yield check
    for part in parts:
        yield from _leaves(part)


def _asks_judge(check: Check) -> bool:
    try:
        needs = check.measure.needs(_PROBE) if isinstance(check, Gate) else check.needs(_PROBE, Space())
    except CannotJudge:
        return False
    return bool(needs.prompts)
