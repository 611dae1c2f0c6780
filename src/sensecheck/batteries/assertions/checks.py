"""Assertions that are our own checks, by the names that a battery has for them; and on time and money.

Promptfoo's graded types on a context compare the share of claims that passages support. Each claim is decided
as `grounded` decides it, by the cutoff that was fitted for claims; the threshold is the share of them that
must be supported, so that it says nothing of how probable a single claim has to be.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from sensecheck.batteries.assertions.base import (
    CHANCE,
    CLOSENESS,
    CLUSTERS,
    COUNT,
    LINE,
    PORTION,
    REPEATED,
    SHARE,
    TEXT,
    TEXTS,
    AssertionInput,
    AssertionType,
    Readings,
    preset,
    reject_file,
)
from sensecheck.batteries.assertions.similarity import loaded_clusters
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.grounded import Grounded, claim_support
from sensecheck.checks.introspection import with_cutoffs
from sensecheck.checks.policies import POLICIES
from sensecheck.checks.presets import MeansPolicy
from sensecheck.checks.spec import check_from_data
from sensecheck.core.cutoff import ClaimsCutoff, Cutoff, at_least, at_most
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.documents.node import Node
from sensecheck.measures.usage import Cost, Latency
from sensecheck.text.escaping import counted

_THRESHOLD = {"threshold": LINE}


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


def _with_share(check: Against, least: float, assertion: AssertionInput) -> SupportedShare:
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


def _preset(
    assertion: AssertionInput, kind: str, *keys: str, readings: Readings = CHANCE, **named: Node
) -> Check:
    """The preset, with those of its arguments that stand in the file."""
    assertion.line(0.0, readings)  # its bounds
    arguments = {key: assertion.entries[key] for key in keys if key in assertion.entries}
    return preset(kind, {**arguments, **named}, assertion.node, assertion.about)


def _means(assertion: AssertionInput) -> Check:
    policy = assertion.entries.get("policy")
    readings = CLOSENESS if policy is not None and policy.value == "similarity" else PORTION
    check = _preset(assertion, "means", "threshold", "doubt", "policy", readings=readings)
    return Against(check, question=_question(assertion, "means"), expected=assertion.expected())


_REFUSAL = AssertionType(
    "The answer is a refusal.",
    lambda assertion: _preset(assertion, "not_a_refusal", "threshold", "doubt"),
    {**_THRESHOLD, "doubt": SHARE},
    denies=True,
)


def _cluster(assertion: AssertionInput) -> Check:
    keys = [key for key in ("expected", "wanted") if key in assertion.entries]
    if len(keys) != 1 or "clusters" not in assertion.entries:
        raise assertion.node.error("`cluster` must have `clusters`, and one of them as `expected`")
    clusters = loaded_clusters(assertion.entries["clusters"], assertion.about)
    expected = assertion.entries[keys[0]]
    return _preset(assertion, "classified_as", "by", "doubt", clusters=clusters, wanted=expected)


def _verdict(assertion: AssertionInput) -> Check:
    """The value, or else the variable `expected_verdict`."""
    node = assertion.text_under("value") or Node(
        assertion.about.vars.get("expected_verdict"), assertion.node.place
    )
    verdict = Node(node.text("`value` of `verdict`, or the variable `expected_verdict`,").lower(), node.place)
    verdict.one_of("verdict", ("pass", "fail"))
    return _preset(assertion, "verdict_is", "threshold", wanted=verdict)


def _grounded(assertion: AssertionInput) -> Against:
    passages = (
        assertion.text_under("passages")
        or _variable(assertion, "context")
        or _variable(assertion, "passages")
    )
    if passages is None:
        raise assertion.node.error(
            f"`{assertion.named}` lacks `passages`; wanted the key, or the variable `context`"
        )
    return Against(
        _preset(assertion, "grounded", "policy", "threshold", readings=PORTION),
        question=_question(assertion, "grounded"),
        passages=passages.texts("`passages` of `grounded`"),
    )


def _faithfulness(assertion: AssertionInput) -> Against:
    """As `grounded`; a number as threshold is the share of claims that must be supported."""
    node = assertion.entries.get("threshold")
    if node is None or isinstance(node.value, str | Mapping):
        return _grounded(assertion)
    what = f"`threshold` of `{assertion.named}`"
    least = PORTION.line(node, what, turned=assertion.turned and node.value == 0)  # all of them is a share
    rest = {key: entry for key, entry in assertion.entries.items() if key != "threshold"}
    return _with_share(_grounded(replace(assertion, entries=rest)), least, assertion)


def _context_recall(assertion: AssertionInput) -> Check:
    """The passages support the reference answer, whatever the answer says."""
    return replace(_faithfulness(assertion), answer=assertion.expected())


def _question(assertion: AssertionInput, kind: str) -> str | None:
    node = assertion.text_under("question") or _variable(assertion, "question")
    return None if node is None else node.text(f"`question` of `{kind}`")


def _variable(assertion: AssertionInput, name: str) -> Node | None:
    value = assertion.about.vars.get(name)
    return None if value is None else Node.of(value, assertion.node.place)


def _check(assertion: AssertionInput) -> Check:
    reject_file(assertion.entries["check"])
    return check_from_data(assertion.entries["check"].plain(), library=assertion.about.library)


OWN_KINDS: Mapping[str, AssertionType] = {
    "means": AssertionType(
        "The answer means what this text, or the variable `expected`, says, and changes none of its facts.",
        _means,
        {
            "value": TEXT,
            "question": TEXT,
            "policy": {"enum": list(get_args(MeansPolicy))},
            **_THRESHOLD,
            "doubt": SHARE,
        },
    ),
    "keeps-facts": AssertionType(
        "The answer states no number, date, name or negation that this text, or the variable `expected`, "
        "has otherwise or has not.",
        lambda assertion: Against(_preset(assertion, "keeps_facts"), expected=assertion.expected()),
        {"value": TEXT},
    ),
    "cluster": AssertionType(
        "The answer lies nearer to the examples of this cluster than to any other's.",
        _cluster,
        {"clusters": CLUSTERS, "expected": TEXT, "wanted": TEXT, "by": TEXT, "doubt": SHARE},
        ("clusters",),
    ),
    "refusal": _REFUSAL,
    "is-refusal": _REFUSAL,
    "reasoning-loop": AssertionType(
        "The answer says again and again what it has said.",
        lambda assertion: _preset(assertion, "not_circling", "threshold", readings=REPEATED),
        _THRESHOLD,
        denies=True,
    ),
    "grounded": AssertionType(
        "Every claim of the answer is supported by the passages, or by the variable `context` or `passages`.",
        _grounded,
        {"passages": TEXTS, "question": TEXT, "policy": {"enum": [*POLICIES]}, **_THRESHOLD},
    ),
    "context-faithfulness": AssertionType(
        "Every claim of the answer is supported by the variable `context`, as `grounded` decides it; with a "
        "number as threshold, this share of the claims.",
        _faithfulness,
        {"passages": TEXTS, "question": TEXT, **_THRESHOLD},
        graded_by_share=True,
    ),
    "context-recall": AssertionType(
        "Every claim of this text, or of the variable `expected`, is supported by the variable `context`; "
        "with a number as threshold, this share of the claims.",
        _context_recall,
        {"value": TEXT, "passages": TEXTS, "question": TEXT, **_THRESHOLD},
        graded_by_share=True,
    ),
    "factuality": AssertionType(
        "The answer says what this text, or the variable `expected`, does, and contradicts none of it; the "
        "same as `means`.",
        _means,
        {"value": TEXT, "question": TEXT, **_THRESHOLD},
    ),
    "model-graded-factuality": AssertionType(
        "Another name of `factuality`.", _means, {"value": TEXT, "question": TEXT, **_THRESHOLD}
    ),
    "verdict": AssertionType(
        "The answer, the text of a judge, gives this verdict, or that of the variable `expected_verdict`.",
        _verdict,
        {"value": {"type": "string", "pattern": "^(?:[Pp][Aa][Ss][Ss]|[Ff][Aa][Ii][Ll])$"}, **_THRESHOLD},
    ),
    "check": AssertionType(
        "A check as data passes: any preset, or any combination of gates.",
        _check,
        {"check": {"type": "object", "required": ["kind"]}},
        ("check",),
    ),
}


def _spent(measure: Latency | Cost) -> Callable[[AssertionInput], Check]:
    def build(assertion: AssertionInput) -> Check:
        return Gate(
            measure, at_most(assertion.number("threshold", least=0.0, most=float("inf"))), assertion.type
        )

    return build


SPENT_KINDS: Mapping[str, AssertionType] = {
    "latency": AssertionType(
        "The answer came within N milliseconds.",
        _spent(Latency()),
        {"threshold": COUNT},
        ("threshold",),
    ),
    "cost": AssertionType(
        "The answer cost so much or less.", _spent(Cost()), {"threshold": COUNT}, ("threshold",)
    ),
}
