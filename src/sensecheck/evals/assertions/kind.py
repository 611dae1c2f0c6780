"""A type of assertion: what it says, what may be written under it, and the check that it becomes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.introspection import settled
from sensecheck.core.cutoff import at_least
from sensecheck.core.protocols import Check
from sensecheck.evals.assertions.asked import Asked

Schema = Mapping[str, Any]
YES = at_least(1.0)
"""The line of a rule that holds or does not."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One type: its words say what is so of an answer that passes; `not-` before it wants the opposite."""

    about: str
    build: Callable[[Asked], Check]
    keys: Mapping[str, Schema]
    """What may stand beside `type`, `weight`, `metric` and `when`."""
    required: tuple[str, ...] = ()
    graded: bool = False
    """Whether the reading is the score; else a pass is worth 1."""
    denies: bool = False
    """Whether the check that is built passes where the type does not hold: it is that of `not-`."""

    def check(self, asked: Asked) -> Check:
        """The check, or its opposite, under the name that the file has for it."""
        built = self.build(asked)
        return Not(built, asked.named) if asked.turned else labelled(built, asked.named)


def labelled(check: Check, name: str) -> Check:
    """The same check under another name."""
    if isinstance(check, Against):
        return replace(check, check=labelled(check.check, name))
    if isinstance(check, Gate | Not | AnyOf | AllOf | Cascade | Grounded) and check.label != name:
        return settled(replace(check, label=name))
    return check
