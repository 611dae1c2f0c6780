"""What of a result is shown: what was asked for, and what the caller may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from sensecheck.server.caller import Caller
from sensecheck.server.engine.jobs import Checked
from sensecheck.server.problems import NOT_ALLOWED, Problem
from sensecheck.server.shapes.texts import Include

EVERYTHING: frozenset[Include] = frozenset(get_args(Include))
NUMBERS: frozenset[Include] = frozenset(("calibration", "scores"))
"""What a stranger could search with for a text that just passes."""
PLAIN = {
    "supported": "the passages support it",
    "partially_supported": "the passages support a part of it, and not all",
    "unsupported": "the passages do not support it",
    "abstained": "it says that the passages do not say",
    "undetermined": "it cannot be told whether the passages support it",
}
"""Why, without any reading, for those who may not see numbers."""
Names = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class View:
    """How one caller sees results."""

    include: frozenset[Include]
    numbers: bool
    """Whether reasons may tell what was read."""

    @classmethod
    def of(cls, caller: Caller, wanted: Sequence[Include] | None) -> "View":
        """What was asked for; asking for what the key may not see is a problem."""
        allowed = EVERYTHING if caller.sees_scores else EVERYTHING - NUMBERS
        if wanted is None:
            return cls(allowed, caller.sees_scores)
        hidden = sorted(set(wanted) - allowed)
        if hidden:
            told = ", ".join(f"`{name}`" for name in hidden)
            raise Problem(NOT_ALLOWED, f"a publishable key does not show {told}; leave it out of `include`")
        return cls(_with_claims(wanted), caller.sees_scores)

    def verdict(self, checked: Checked) -> dict[str, Any]:
        """The decision and why."""
        support = checked.data["support"]
        return {
            "outcome": checked.outcome,
            "support": support,
            "accepted": checked.accepted,
            "because": checked.because if self.numbers else PLAIN[support],
        }

    def scores(self, checked: Checked) -> dict[str, Any]:
        """The readings, where they are shown."""
        if "scores" not in self.include:
            return {}
        read = {
            "support": checked.value,
            "similarity": checked.similarity,
            "keyword_overlap": checked.overlap,
        }
        return {"scores": read}

    def calibration(self, checked: Checked) -> dict[str, Any]:
        """The line and its certificate, where they are shown."""
        return {"calibration": checked.data["cutoff"]} if "calibration" in self.include else {}

    def claims(self, checked: Checked, names: Names = ()) -> dict[str, Any]:
        """Claim by claim, and what claims nothing, where that is shown."""
        if "claims" not in self.include:
            return {}
        return {
            "claims": [self.claim(claim, names) for claim in checked.data["claims"]],
            "non_claims": [
                {name: one[name] for name in ("text", "start", "end", "kind")}
                for one in checked.data["non_claims"]
            ],
        }

    def claim(self, claim: Mapping[str, Any], names: Names = (), own: str = "answer") -> dict[str, Any]:
        """One claim, its evidence, and what does not fit; `own` is what the caller calls the judged text."""
        support = claim["support"]
        told: dict[str, Any] = {
            "text": claim["text"],
            "start": claim["start"],
            "end": claim["end"],
            "support": support,
            "because": claim["because"] if self.numbers else PLAIN[support],
        }
        if "scores" in self.include:
            told["value"] = claim["value"]
        if "evidence" in self.include:
            told["evidence"] = [named(span, names) for span in claim["evidence"]]
        if "reasons" in self.include:
            told["reasons"] = [self._reason(reason, names, own) for reason in claim["reasons"]]
        return told

    def _reason(self, reason: Mapping[str, Any], names: Names, own: str) -> dict[str, Any]:
        told = {
            name: value for name, value in reason.items() if name != "closeness" or "scores" in self.include
        }
        if own != "answer" and "answer" in told:
            told["answer"] = {**told["answer"], "where": own}
        if "source" in told:
            told["source"] = named(told["source"], names)
        return told


def named(span: Mapping[str, Any], names: Names) -> Mapping[str, Any]:
    """A span of a source, with the name that the caller gave the source, if any."""
    if not any(names):
        return span
    name = names[int(span["where"][len("passages[") : -1])]
    return span if name is None else {**span, "id": name}


def _with_claims(wanted: Sequence[Include]) -> frozenset[Include]:
    """Evidence and reasons are shown with the claims that they are about."""
    claims: tuple[Include, ...] = ("claims",) if {"evidence", "reasons"} & set(wanted) else ()
    return frozenset((*wanted, *claims))
