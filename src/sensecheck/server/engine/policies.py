"""The checks that jobs name, each built once."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from sensecheck.calibration.library import Shelf
from sensecheck.checks.policies import POLICIES, Policy, named
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check, Measure

MOST_CHECKS = 256
"""So many policies with fitted lines stay built."""


@dataclass(frozen=True, slots=True)
class FittedLine:
    """A line that was fitted for a project, in place of the one that comes with a policy."""

    cutoff: Cutoff

    def cutoff_for(self, measure: Measure, good: Literal["above", "below"]) -> Cutoff:
        """The line, unless its good side is another than the measure's."""
        if self.cutoff.good != good:
            raise SpecError(f"the line on `{measure.name}` wants the good side `{good}`")
        return self.cutoff


class Policies:
    """Policies by name and line; what is wrong with one is said without repeating what was asked for."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._built = lru_cache(maxsize=MOST_CHECKS)(self._build)

    def of(self, name: str, cutoff: Sequence[tuple[str, Any]] | None) -> tuple[Policy, Check]:
        """The policy and its check, or `SpecError`."""
        return self._built(name, None if cutoff is None else json.dumps(dict(cutoff), sort_keys=True))

    def _build(self, name: str, cutoff: str | None) -> tuple[Policy, Check]:
        try:
            policy = named(name)
        except SpecError as unknown:
            marks = ", ".join(policy.mark for policy in POLICIES.values())
            raise SpecError(f"there is no such policy; known: {marks}") from unknown
        if cutoff is None:
            return policy, policy.check(self._shelf)
        return policy, policy.check(self._shelf, FittedLine(Cutoff.from_data(json.loads(cutoff))))
