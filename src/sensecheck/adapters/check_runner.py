"""A check that another tool was given, and the verdicts by it."""

from collections.abc import Mapping
from typing import Any

from sensecheck.checks.spec import check_from_data
from sensecheck.config import Settings, card_library
from sensecheck.core.errors import CannotJudge
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.sense import Sense, shared_sense

CheckLike = str | Mapping[str, Any] | Check
"""A preset by its name, a check as data, or a check."""

SCORES: Mapping[Outcome, float] = {"pass": 1.0, "unsure": 0.5, "fail": 0.0}
"""What an outcome is worth to tools that count in numbers."""


class CheckRunner:
    """Reads the check at once, so that a slip is reported early; the model is loaded for the first sample."""

    def __init__(self, check: CheckLike, sense: Sense | None = None) -> None:
        self._sense = sense
        self.check = _check_from(check, sense)

    @property
    def name(self) -> str:
        """What people call the check."""
        return self.check.name

    def verdict(self, sample: Sample, check: Check | None = None) -> Verdict:
        """A pass, a fail or unsure; what could not be judged raises, for it is none of them."""
        sense = shared_sense() if self._sense is None else self._sense
        verdict = sense.judge(sample, self.check if check is None else check)
        if verdict.outcome not in SCORES:
            raise CannotJudge(f"`{verdict.check}` could not judge: {verdict.because}")
        return verdict


def _check_from(check: CheckLike, sense: Sense | None) -> Check:
    if not isinstance(check, str | Mapping):
        return check
    data = {"kind": check} if isinstance(check, str) else check
    if sense is not None:
        return sense.check(data)
    return check_from_data(data, library=card_library(Settings.from_environment()))
