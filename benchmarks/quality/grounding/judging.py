"""The rules that decide: the common one, and our policies as far as their cards are there."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchmarks.quality.grounding.rows import SHIPPED

from sensecheck.checks.grounded import Grounded
from sensecheck.checks.policies import POLICIES, similarity_or_keywords
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check

COMMON = "similarity-or-keywords"
OURS = ("default", "strict")


@dataclass(frozen=True, slots=True)
class Policies:
    """The checks by name, and why others are not there."""

    checks: Mapping[str, Check]
    missing: tuple[str, ...] = ()

    @classmethod
    def shipped(cls, *, verifier: bool) -> "Policies":
        """Those that ship; `strict` only where a verifier is there to be asked."""
        checks: dict[str, Check] = {COMMON: similarity_or_keywords()}
        missing = []
        for name in OURS:
            if name == "strict" and not verifier:
                missing.append("the policy `strict`: there is no verifier")
                continue
            try:
                checks[name] = POLICIES[name].check()
            except SpecError as reason:
                missing.append(f"the policy `{name}`: {reason}")
        return cls(checks, tuple(missing))

    def for_fold(self, fold: int | None) -> dict[str, Check]:
        """The checks for the verifier that has not seen a fold.

        A card holds for the shipped verifier alone; its brothers are held to the same line, without the card.
        """
        if fold in (None, SHIPPED):
            return dict(self.checks)
        return {name: _without_card(check) for name, check in self.checks.items()}

    def lines(self) -> dict[str, Cutoff]:
        """The shipped lines on what the words and the verifier say."""
        found: dict[str, Cutoff] = {}
        for check in self.checks.values():
            if isinstance(check, Grounded):
                found["words"] = check.words
                found |= {"verifier": check.verifier} if check.verifier else {}
        return found


def _without_card(check: Check) -> Check:
    if isinstance(check, Grounded) and check.verifier is not None:
        return replace(check, verifier=replace(check.verifier, certificate=None))
    return check
