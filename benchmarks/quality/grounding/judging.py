"""The rules that decide: the common one, and our policies as far as their cards are there."""

from collections.abc import Mapping
from dataclasses import dataclass

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

    def lines(self) -> dict[str, Cutoff]:
        """The shipped lines on what the words and the verifier say."""
        found: dict[str, Cutoff] = {}
        for check in self.checks.values():
            if isinstance(check, Grounded):
                found["words"] = check.words
                found |= {"verifier": check.verifier} if check.verifier else {}
        return found
