"""A second opinion, asked for only when the first is unsure."""

from dataclasses import dataclass

from sensecheck.checks.combine import must_hold_checks, together
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict, must_be_of


@dataclass(frozen=True, slots=True)
class Cascade:
    """Asks its checks in order until one is not `unsure`; that one's outcome stands."""

    checks: tuple[Check, ...]
    label: str = ""

    def __post_init__(self) -> None:
        must_hold_checks("cascade", self.checks)

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or "cascade"

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What the checks up to the first one need that is not known to be unsure."""
        total = Needs()
        for check in self.checks:
            wanted = check.needs(sample, known)
            total = total | wanted
            if check is self.checks[-1] or not known.answers(wanted):
                break
            if check.decide(sample, known).outcome != "unsure":
                break
        return total

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict of the last check that was asked."""
        asked: list[Verdict] = []
        for check in self.checks:
            asked.append(check.decide(sample, space))
            if asked[-1].outcome != "unsure":
                break
        return together(self.name, asked[-1].outcome, tuple(asked), deciding=(asked[-1],))

    def again(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings; a check that was not asked then cannot be asked now."""
        must_be_of(self.name, verdict)
        if not 1 <= len(verdict.parts) <= len(self.checks):
            raise SpecError(
                f"the verdict of `{verdict.check}` has {len(verdict.parts)} parts; "
                f"wanted 1 to {len(self.checks)}"
            )
        asked: list[Verdict] = []
        for check, part in zip(self.checks, verdict.parts, strict=False):
            asked.append(check.again(part))
            if asked[-1].outcome != "unsure":
                break
        return together(
            self.name, asked[-1].outcome, tuple(asked), deciding=(asked[-1],), sample=verdict.sample
        )
