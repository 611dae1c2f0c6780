"""The share of claims that passages support: what promptfoo's graded types on a context compare.

Each claim is decided as `grounded` decides it, by the cutoff that was fitted for claims; the threshold is the
share of them that must be supported, so that it says nothing of how probable a single claim has to be.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sensecheck.batteries.assertions.base import AssertionInput
from sensecheck.checks.gate import Against
from sensecheck.checks.grounded import Grounded, claim_support
from sensecheck.checks.introspection import with_cutoffs
from sensecheck.core.cutoff import ClaimsCutoff, Cutoff, at_least
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.text.escaping import counted


@dataclass(frozen=True, slots=True)
class SupportedShare(Against):
    """Passes when at least this share of the claims is supported; its check is that of the claims.

    It fails when the share stays below even if all that is unsure were supported, and is unsure in between.
    A sentence that states nothing, such as `I do not know`, is no claim. An `Against`, as it is one check
    with parts of the sample replaced, so that its cutoffs and gates are found as those of any other.
    """

    least: float = 1.0

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict on the share, with the claims as its parts."""
        return self._of_share(Against.decide(self, sample, space))

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings."""
        return self._of_share(Against.redecide(self, verdict))

    def _of_share(self, verdict: Verdict) -> Verdict:
        claims = [part for part in verdict.parts if claim_support(part) != "abstained"]
        if verdict.outcome == "error" or verdict.reading is None or not claims:
            return verdict
        supported = sum(part.outcome == "pass" for part in claims)
        undecided = sum(part.outcome not in ("pass", "fail") for part in claims)
        low, high = supported / len(claims), (supported + undecided) / len(claims)
        outcome: Outcome = "pass" if low >= self.least else "fail" if high < self.least else "unsure"
        if outcome != "fail" and any(part.outcome == "error" for part in claims):
            outcome = "error"
        count = f"{supported} of {counted(len(claims), 'claim')} supported"
        count += f", {undecided} undecided" if undecided else ""
        because = f"{count}; wanted a share of {self.least:g} or more{_reason(outcome, claims)}"
        reading = replace(verdict.reading, value=low, because=count)
        return replace(
            verdict, outcome=outcome, because=because, reading=reading, cutoff=at_least(self.least)
        )


def with_share(check: Against, least: float, assertion: AssertionInput) -> SupportedShare:
    """The same question, of which a share of the claims suffices; what was promised of all is not of that."""
    claims = check.check
    if isinstance(claims, Grounded):
        claims = with_cutoffs(replace(claims, label=assertion.type), _without_promise)
    return SupportedShare(claims, check.question, check.expected, check.passages, check.answer, least=least)


def _reason(outcome: Outcome, claims: Sequence[Verdict]) -> str:
    """Of what is not supported, the first that decides."""
    deciding = {"fail": ("fail", "unsure"), "unsure": ("unsure",), "error": ("error",)}.get(outcome, ())
    for word in deciding:
        for claim in claims:
            if claim.outcome == word:
                return f": {claim.because}"
    return ""


def _without_promise(cutoff: Cutoff) -> Cutoff:
    """The fitted cutoff, as one that stands in another check than the one its promise is about."""
    if cutoff.certificate is None:
        return cutoff
    by_claims = tuple(
        ClaimsCutoff(entry.claims, _without_promise(entry.cutoff)) for entry in cutoff.by_claims
    )
    return replace(cutoff, certificate=replace(cutoff.certificate, kept_by=""), by_claims=by_claims)
