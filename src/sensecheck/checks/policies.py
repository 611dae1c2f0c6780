"""Named ways to decide whether an answer is grounded, as data with a version."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.combine import AnyOf
from sensecheck.checks.decision import promised
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.introspection import settled
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.serialization import did_you_mean, from_data, to_data
from sensecheck.core.threshold import Threshold, cutoff_of
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import PassageSimilarity
from sensecheck.measures.support.groundedness import groundedness

Reads = Literal["reader", "words", "similarity-or-keywords"]


def similarity_or_keywords(similarity: Threshold = 0.7, overlap: Threshold = 0.5) -> Check:
    """The common rule: near the passage, or half of the key words in it. It accepts most hallucinations."""
    near, words = PassageSimilarity(), KeywordOverlap("long")
    gates = (
        Gate(near, cutoff_of(similarity, near, "above")),
        Gate(words, cutoff_of(overlap, words, "above")),
    )
    return settled(AnyOf(gates, "similarity_or_keywords"))


@dataclass(frozen=True, slots=True)
class Policy:
    """What is read of an answer, by which cutoffs it is judged, and what becomes of what stays open."""

    name: str
    version: int
    reads: Reads
    words: str = "grounded"
    """The card with the cutoff on the words' support."""
    reader: str = "read"
    """The card with the cutoff on how probable a claim is to a cross-encoder, where that decides."""
    fail_mode: Literal["closed", "open"] = "closed"
    """Whether an answer that neither passes nor fails, an `error` included, is held back or let through."""

    def __post_init__(self) -> None:
        if not self.name or "@" in self.name:
            raise SpecError(f"a policy must be a name without `@`; got `{self.name}`")

    @property
    def mark(self) -> str:
        """Its name and version, as verdicts carry it."""
        return f"{self.name}@{self.version}"

    @property
    def card(self) -> str:
        """The card with the cutoff that decides."""
        return self.reader if self.reads_pairs else self.words

    @property
    def measure(self) -> Measure:
        """What that cutoff is a cutoff on."""
        return Entailment("passages") if self.reads_pairs else groundedness()

    @property
    def reads_pairs(self) -> bool:
        """Whether a cross-encoder reads claims with their evidence, which is most of what a check costs."""
        return self.reads == "reader"

    def check(self, library: CardLibrary | None = None, threshold: Threshold | None = None) -> Check:
        """The check that decides by this policy; a threshold takes the place of its own card.

        It is one on how probable a claim is to the reader; where words decide, on how far they are supported.
        """
        cards = CardLibrary.shipped() if library is None else library
        if self.reads == "similarity-or-keywords":
            if threshold is not None:
                raise SpecError(f"the policy `{self.name}` has two cutoffs of its own; got a threshold")
            return similarity_or_keywords()
        source = None if threshold is None else promised(partial(self.check, cards), threshold)
        fitted_or_given = cards.card(self.card) if source is None else source
        cutoff = cutoff_of(fitted_or_given, self.measure, "above", within=(0.0, 1.0))
        if not self.reads_pairs:
            return settled(Grounded(cutoff))
        return settled(Grounded(cards.card(self.words).cutoff_for(groundedness(), "above"), cutoff))

    def accepts(self, outcome: str) -> bool:
        """Whether an answer with this outcome may be shown."""
        return outcome == "pass" or (outcome != "fail" and self.fail_mode == "open")

    def to_data(self) -> dict[str, Any]:
        """The policy as plain data."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: str | Mapping[str, Any]) -> "Policy":
        """One of ours by name, or the policy that data describes; unknown keys are errors."""
        if isinstance(data, str):
            return named(data)
        policy: Policy = from_data(cls, data, at="policy")
        if policy.name in POLICIES and policy != POLICIES[policy.name]:
            raise SpecError(f"`{policy.name}` is a policy of ours, and this is another; give it another name")
        return policy


POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("default", 2, "reader"),
        Policy("strict", 2, "reader", reader="read-strict"),
        Policy("fast", 1, "words"),
        Policy("similarity-or-keywords", 1, "similarity-or-keywords"),
    )
}


def may_read_pairs(name: str) -> bool:
    """Whether deciding by this policy may ask a cross-encoder; of one that is not ours no one knows."""
    policy = POLICIES.get(name.partition("@")[0])
    return policy is None or policy.reads_pairs


def named(name: str) -> Policy:
    """The policy of this name; `name@version` wants that version."""
    bare, _, version = name.partition("@")
    if bare not in POLICIES:
        raise SpecError(did_you_mean("policy", bare, POLICIES))
    policy = POLICIES[bare]
    if "@" in name and version != str(policy.version):
        raise SpecError(f"the policy `{bare}` has the version {policy.version}; wanted {version}")
    return policy
