"""Several checks as one: `AnyOf`, `AllOf`, `Vetoed`, `Not` and `Cascade`.

What could not be judged is never hidden by what could. A cascade asks for a second opinion only where the
first is unsure.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict, require_check
from sensecheck.measures.facts.fact import AMOUNTS, EXCHANGED, SAID_OTHERWISE

Parts = tuple[Verdict, ...]
EVEN = 0.5
"""Below this probability a veto makes a check fail: of answers that no reader learned from and that change a
fact of the expected one, nearly all with less were wrong."""
NEARLY_SURE = 0.9
"""The same where the fact is an amount or a date: readers of meaning are poor at numbers."""


@dataclass(frozen=True, slots=True)
class _Several:
    """Checks that are decided together: the first outcome in `order` that any of them has is the outcome."""

    kind: ClassVar[str]
    order: ClassVar[tuple[Outcome, ...]]

    checks: tuple[Check, ...]
    label: str = ""

    def __post_init__(self) -> None:
        validate_checks(self.kind, self.checks)

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or self.kind

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What all of them need."""
        return Needs.union(check.needs(sample, known) for check in self.checks)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict of all of them together."""
        return self.of(self.name, tuple(check.decide(sample, space) for check in self.checks))

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings."""
        return self.of(self.name, _again(self.name, self.checks, verdict), verdict.sample)

    @classmethod
    def of(cls, name: str, parts: Parts, sample: str | None = None) -> Verdict:
        """One verdict from those of the parts."""
        return _first_of(name, cls.order, parts, sample)


class AnyOf(_Several):
    """Passes when one of its checks passes and all of them could be judged."""

    __slots__ = ()
    kind = "any_of"
    order = ("pass", "unsure", "fail")


class AllOf(_Several):
    """Passes when every one of its checks passes."""

    __slots__ = ()
    kind = "all_of"
    order = ("fail", "unsure", "pass")


class Vetoed(AllOf):
    """The first of its checks, which reads a probability, decides, unless another one fails.

    Then a pass of the first is only `unsure`, and what it finds less probable than not fails; where an amount
    or a date differs, all that it is not nearly sure of. Where only words differ, such as a negation, and the
    first is nearly sure, it is more often right than they are, and passes.
    """

    __slots__ = ()
    kind = "vetoed"

    @classmethod
    def of(cls, name: str, parts: Parts, sample: str | None = None) -> Verdict:
        """The verdict of the first, as far as no other one is against it."""
        plain = _first_of(name, cls.order, parts, sample)
        first, *others = parts
        against = tuple(part for part in others if part.outcome == "fail")
        if plain.outcome == "error" or not against:
            return plain
        if first.outcome == "pass" and _is_overruled(first, against):
            return together(name, "pass", parts, deciding=(first, *against), sample=sample)
        outcome: Outcome = "fail" if first.outcome == "fail" or _is_unlikely(first, against) else "unsure"
        return together(name, outcome, parts, deciding=(*against, first), sample=sample)


def _is_overruled(part: Verdict, against: Parts) -> bool:
    """Whether it is nearly sure, and nothing is against it but words that are said otherwise."""
    if part.reading is None or part.reading.value < NEARLY_SURE or _is_better_below(part):
        return False
    differences = [
        {item.kind for item in other.reading.evidence} if other.reading else set() for other in against
    ]
    return all(kinds and kinds <= SAID_OTHERWISE for kinds in differences)


def _is_better_below(part: Verdict) -> bool:
    return part.cutoff is not None and part.cutoff.good != "above"


def _is_unlikely(part: Verdict, against: Parts) -> bool:
    """Whether it is too improbable for what is against it; where less is better, it is no probability.

    Amounts that have changed places are against it however probable it is.
    """
    if part.reading is None or _is_better_below(part):
        return False
    kinds = {item.kind for other in against if other.reading for item in other.reading.evidence}
    return EXCHANGED in kinds or part.reading.value < (NEARLY_SURE if kinds & AMOUNTS else EVEN)


@dataclass(frozen=True, slots=True)
class Not:
    """Passes when its check fails; what is unsure or could not be judged stays so."""

    check: Check
    label: str = ""

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or f"not_{self.check.name}"

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What its check needs."""
        return self.check.needs(sample, known)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The opposite verdict."""
        return self._turned(self.check.decide(sample, space))

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings."""
        (part,) = _again(self.name, (self.check,), verdict)
        return self._turned(part, verdict.sample)

    def _turned(self, part: Verdict, sample: str | None = None) -> Verdict:
        judged = _first_of(self.name, ("pass", "unsure", "fail"), (part,), sample)
        opposite: dict[Outcome, Outcome] = {"pass": "fail", "fail": "pass"}
        return replace(judged, outcome=opposite.get(judged.outcome, judged.outcome))


@dataclass(frozen=True, slots=True)
class Cascade:
    """Asks its checks in order until one is not `unsure`; that one's outcome stands."""

    checks: tuple[Check, ...]
    label: str = ""

    def __post_init__(self) -> None:
        validate_checks("cascade", self.checks)

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or "cascade"

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What the checks up to the first one need that is not known to be unsure."""
        total = Needs()
        for check in self.checks:
            needs = check.needs(sample, known)
            total = total | needs
            if check is self.checks[-1] or not known.answers(needs):
                break
            if check.decide(sample, known).outcome != "unsure":
                break
        return total

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict of the last check that was asked."""
        verdicts: list[Verdict] = []
        for check in self.checks:
            verdicts.append(check.decide(sample, space))
            if verdicts[-1].outcome != "unsure":
                break
        return together(self.name, verdicts[-1].outcome, tuple(verdicts), deciding=(verdicts[-1],))

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings; a check that was not asked then cannot be asked now."""
        require_check(self.name, verdict)
        if not 1 <= len(verdict.parts) <= len(self.checks):
            raise SpecError(
                f"the verdict of `{verdict.check}` has {len(verdict.parts)} parts; "
                f"wanted 1 to {len(self.checks)}"
            )
        verdicts: list[Verdict] = []
        for check, part in zip(self.checks, verdict.parts, strict=False):
            verdicts.append(check.redecide(part))
            if verdicts[-1].outcome != "unsure":
                break
        return together(
            self.name, verdicts[-1].outcome, tuple(verdicts), deciding=(verdicts[-1],), sample=verdict.sample
        )


def validate_checks(kind: str, checks: tuple[Check, ...]) -> None:
    """Raise unless there is something to combine: an empty `all_of` would pass everything."""
    if not checks:
        raise SpecError(f"`{kind}` must have at least one check; got none")


def together(
    name: str, outcome: Outcome, parts: Parts, *, deciding: Parts, sample: str | None = None
) -> Verdict:
    """One verdict made of parts, with the reasons of those that decided."""
    because = "; ".join(f"{part.check}: {part.because}" for part in deciding)
    marks = dict.fromkeys(part.fingerprint for part in parts if part.fingerprint)
    return Verdict(name, outcome, because, None, None, "+".join(marks) or None, parts, sample)


def _again(name: str, checks: tuple[Check, ...], verdict: Verdict) -> Parts:
    require_check(name, verdict)
    if len(checks) != len(verdict.parts):
        raise SpecError(
            f"the verdict of `{verdict.check}` has {len(verdict.parts)} parts; the check has {len(checks)}"
        )
    return tuple(check.redecide(part) for check, part in zip(checks, verdict.parts, strict=True))


def _first_of(name: str, order: tuple[Outcome, ...], parts: Parts, sample: str | None = None) -> Verdict:
    """The first outcome in `order` that any part has; what was not judged comes before everything."""
    unjudged = tuple(part for part in parts if part.outcome in ("error", "measured"))
    if unjudged:
        only = [part.check for part in unjudged if part.outcome == "measured"]
        judged = together(name, "error", parts, deciding=unjudged, sample=sample)
        return replace(judged, because=f"`{only[0]}` has no cutoff; it only measures") if only else judged
    outcome = next(outcome for outcome in order if any(part.outcome == outcome for part in parts))
    deciding = tuple(part for part in parts if part.outcome == outcome)
    return together(name, outcome, parts, deciding=deciding, sample=sample)
