"""Named ways to decide whether an answer is grounded, as data with a version."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from sensecheck.calibration.shelf import Shelf
from sensecheck.checks.combine import AnyOf
from sensecheck.checks.deciding import promised
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.lines_of import settled
from sensecheck.core.data import from_data, to_data
from sensecheck.core.errors import SpecError
from sensecheck.core.line import Threshold, cutoff_of
from sensecheck.core.nearest import unknown
from sensecheck.core.protocols import Check
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.passages import PassageSimilarity
from sensecheck.measures.support.groundedness import groundedness
from sensecheck.measures.support.verified import Verified

Reads = Literal["words", "words-and-verifier", "reader", "similarity-or-keywords"]


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
    """What is read of an answer, by which lines it is judged, and what becomes of what stays open."""

    name: str
    version: int
    reads: Reads
    words: str = "grounded"
    """The card with the line on the words' support."""
    verifier: str = "verified"
    """The card with the line on the cross-encoder's log odds."""
    reader: str = ""
    """The card with the line on how probable the cross-encoder finds a claim, where it decides alone."""
    fail_mode: Literal["closed", "open"] = "closed"
    """Whether an answer that neither passes nor fails, an `error` included, is held back or let through."""

    def __post_init__(self) -> None:
        if not self.name or "@" in self.name:
            raise SpecError(f"a policy wants a name without `@`; found `{self.name}`")

    @property
    def mark(self) -> str:
        """Its name and version, as verdicts carry it."""
        return f"{self.name}@{self.version}"

    @property
    def reads_pairs(self) -> bool:
        """Whether a cross-encoder reads claims with their evidence, which is most of what a check costs."""
        return self.reads in ("words-and-verifier", "reader")

    def check(self, shelf: Shelf | None = None, threshold: Threshold | None = None) -> Check:
        """The check that decides by this policy; a threshold takes the place of its own card."""
        cards = Shelf.shipped() if shelf is None else shelf
        if self.reads == "similarity-or-keywords":
            if threshold is not None:
                raise SpecError(f"the policy `{self.name}` has two lines of its own; found a threshold")
            return similarity_or_keywords()
        if self.reads == "reader":
            return self._read(cards, threshold)
        line = (
            cards.card(self.words) if threshold is None else promised(partial(self.check, cards), threshold)
        )
        words = cutoff_of(line, groundedness(), "above")
        if self.reads == "words":
            return settled(Grounded(words))
        return settled(Grounded(words, cards.card(self.verifier).cutoff_for(Verified(), "below")))

    def _read(self, cards: Shelf, threshold: Threshold | None) -> Check:
        """The check in which a cross-encoder decides."""
        if threshold is None and not self.reader:
            raise SpecError(
                f"the policy `{self.name}` must be given a threshold, or name a card as its `reader`; got "
                "neither. A number is a probability, such as 0.5; better is a card that was fitted for your "
                "reader: `sensecheck calibrate FILE --preset grounded --policy reader`"
            )
        own = (
            cards.card(self.reader) if threshold is None else promised(partial(self.check, cards), threshold)
        )
        words = cards.card(self.words).cutoff_for(groundedness(), "above")
        return settled(Grounded(words, reader=cutoff_of(own, Entailment("passages"), "above")))

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
        if policy.name in (*POLICIES, BY_READER.name) and policy != named(policy.name):
            raise SpecError(f"`{policy.name}` is a policy of ours, and this is another; give it another name")
        return policy


POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("default", 1, "words"),
        Policy("strict", 1, "words-and-verifier"),
        Policy("similarity-or-keywords", 1, "similarity-or-keywords"),
    )
}


def may_read_pairs(name: str) -> bool:
    """Whether deciding by this policy may ask a cross-encoder; of one that is not ours nobody knows."""
    found = POLICIES.get(name.partition("@")[0])
    return found is None or found.reads_pairs


BY_READER = Policy("reader", 1, "reader")
"""A cross-encoder decides, yours for one; it wants a threshold, so it is not among those ready to use."""


def named(name: str) -> Policy:
    """The policy of this name; `name@version` wants that version."""
    bare, _, version = name.partition("@")
    known = {**POLICIES, BY_READER.name: BY_READER}
    if bare not in known:
        raise SpecError(unknown("policy", bare, known))
    found = known[bare]
    if "@" in name and version != str(found.version):
        raise SpecError(f"the policy `{bare}` has the version {found.version}; wanted {version}")
    return found
