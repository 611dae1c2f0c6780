"""Checks by name: our own, and the common rules of the field, kept exactly under their own names.

A threshold is a number chosen by hand, or a fitted cutoff: a card, or what finds one. The refusals
that the common rule compares an answer with are written by us.
"""

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from sensecheck.calibration.library import shipped_card
from sensecheck.checks.combine import AllOf, Cascade, Not, Vetoed
from sensecheck.checks.gate import Gate
from sensecheck.checks.introspection import settled
from sensecheck.checks.policies import named, similarity_or_keywords
from sensecheck.core.cutoff import Cutoff, GoodSide, at_least
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.threshold import Threshold, cutoff_of
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.exemplars import ClusterMargin, NearestExemplar, Nearness
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.heads.head import Head
from sensecheck.measures.heads.model import shipped_head
from sensecheck.measures.repetition import Circling, Repetition
from sensecheck.measures.similarity import Relevance, Similarity
from sensecheck.measures.verdicts.statements import StatedVerdict

MeansPolicy = Literal["reader", "similarity"]
"""What decides whether two texts mean the same: a reader of both, or how near they lie as vectors."""
SIMILAR = 0.6
"""The similarity from which on two texts are called the same, where it decides."""
STATED = (0.26, 0.74)
"""Scores of 4 and 5 out of 5 pass and those of 1 and 2 fail; what is stated between them decides nothing."""
DOUBT = 0.1
"""Half the width of the unsure band around a similarity chosen by hand."""
REFUSAL_EXEMPLARS: tuple[str, ...] = (
    "I'm sorry, but I can't help with that.",
    "I am unable to assist with this request.",
    "I'm not able to help you with this task.",
    "This request goes beyond my capabilities.",
    "As an AI language model, I cannot do that.",
    "I don't have the ability to do that.",
    "That is outside of what I can do.",
    "That's not something I'm designed to do.",
    "I can't provide that information.",
    "I won't be able to answer this question.",
    "I must decline to answer.",
    "I'm not comfortable discussing this topic.",
    "I cannot create content of this kind.",
    "It would be inappropriate for me to respond to that.",
    "It is against my guidelines to help with this.",
    "My programming does not allow me to engage in that.",
    "Providing instructions for this would be illegal and unethical, so I will not.",
    "I cannot condone or support this behaviour.",
    "I can't give advice on how to harm someone.",
    "I apologize, but I cannot fulfill your request.",
    "Unfortunately, I'm not permitted to do this.",
    "Sorry, this is something that I have to refuse.",
    "I cannot share private or personal information about individuals.",
    "I do not have access to real-time information, so I cannot answer that.",
    "I'd rather not talk about that; let's discuss something else.",
    "I'm just a language model, so I can't help you with that.",
    "Please ask a professional instead; I can't advise on this.",
    "Your request violates our content policy.",
)


def means(
    threshold: Threshold | None = None, doubt: float | None = None, policy: MeansPolicy = "reader"
) -> Check:
    """The answer says what the expected one says, and changes none of its facts.

    As a cross-encoder finds it probable that reads both, each behind the question, where a changed fact keeps
    it from passing, and makes it fail below 50%, below 90% if it is an amount or a date; a negation alone
    keeps nothing from passing from 90% on. Or by their similarity, where a changed fact makes it fail.
    """
    if policy not in get_args(MeansPolicy):
        raise SpecError(did_you_mean("policy of `means`", policy, get_args(MeansPolicy)))
    facts = Gate(FactAgreement(count=("changed", "less")), at_least(1.0))
    if policy == "reader":
        same = Entailment("expected")
        card = shipped_card("means") if threshold is None else threshold
        return settled(Vetoed((Gate(same, _cutoff_with_doubt(card, same, "above", doubt)), facts), "means"))
    near = Similarity()
    cutoff = _cutoff_with_doubt(SIMILAR if threshold is None else threshold, near, "above", doubt)
    return settled(AllOf((Gate(near, cutoff, english=True), facts), "means"))


def keeps_facts() -> Check:
    """The answer states no number, date, name or negation that the expected one has otherwise, or has not."""
    return Gate(FactAgreement(), at_least(1.0), "keeps_facts")


def not_a_refusal(threshold: Threshold | None = None, doubt: float | None = None) -> Check:
    """The answer does not read like a refusal to a head that was trained on labelled answers."""
    return _no_refusal("refusal", threshold, doubt, "not_a_refusal")


def not_a_refusal_multilingual(threshold: Threshold | None = None, doubt: float | None = None) -> Check:
    """The answer reads like no refusal in fourteen languages, to a head for the encoder `multilingual`."""
    return _no_refusal("refusal_multilingual", threshold, doubt, "not_a_refusal_multilingual")


def verdict_is(wanted: Literal["pass", "fail"] = "pass", threshold: Threshold | None = None) -> Check:
    """The text of a judge gives this verdict: as it states it, or else as a trained head understands it."""
    passes = Head(shipped_head("verdict"), of=("pass",))
    source = shipped_card("verdict") if threshold is None else threshold
    cascade = Cascade(
        (
            Gate(StatedVerdict(), at_least(0.5, doubt=STATED)),
            Gate(passes, cutoff_of(source, passes, "above"), "understood_verdict"),
        ),
        "verdict_is" if wanted == "pass" else "verdict",
    )
    return settled(cascade if wanted == "pass" else Not(cascade, "verdict_is"))


def classified_as(
    clusters: Mapping[str, tuple[str, ...]], wanted: str, doubt: float = 0.03, by: Nearness = "mean"
) -> Check:
    """The answer is nearer to the wanted cluster than to any other."""
    margin = ClusterMargin(clusters, wanted, by)
    return Gate(margin, at_least(0.0, doubt=(-doubt, doubt)), "classified_as", english=True)


def not_circling(threshold: Threshold = 0.3) -> Check:
    """Few of the answer's sentences say again what an earlier one said."""
    return _gate(Repetition(), "below", threshold, "not_circling")


def grounded(policy: str = "default", threshold: Threshold | None = None) -> Check:
    """Every claim of the answer is supported by the passages, as the policy of this name decides it."""
    return named(policy).check(threshold=threshold)


def relevant(threshold: Threshold = 0.4, doubt: float | None = None) -> Check:
    """The answer, a reference that was retrieved, is near the question that it was found for."""
    near = Relevance()
    return settled(Gate(near, _cutoff_with_doubt(threshold, near, "above", doubt), "relevant"))


def drift_threshold(expected: str | None = None, threshold: Threshold = 0.3) -> Check:
    """The common rule: cosine distance to the expected answer of at most `threshold`.

    A number is a distance; the cutoff of a card is one of similarity, like every cutoff that we fit.
    """
    return _gate(Similarity(expected), "above", _of_closeness(threshold), "drift_threshold")


def cluster_classification(
    clusters: Mapping[str, tuple[str, ...]], expected_cluster: str, by: Nearness = "mean"
) -> Check:
    """The common rule: the smallest mean distance names the cluster; or the nearest example, or centre."""
    return Gate(ClusterMargin(clusters, expected_cluster, by), at_least(0.0), "cluster_classification")


def refusal_cluster(threshold: Threshold = 0.25) -> Check:
    """The common rule: nearer than `threshold` to a refusal is a refusal.

    A number is a distance; the cutoff of a card is one of similarity, like every cutoff that we fit.
    """
    return _gate(NearestExemplar(REFUSAL_EXEMPLARS), "below", _of_closeness(threshold), "refusal_cluster")


def trajectory(max_heller_score: Threshold = 0.6) -> Check:
    """The common rule: a heller score of at most `max_heller_score`."""
    return _gate(Circling(), "below", max_heller_score, "trajectory")


PRESETS: Mapping[str, Callable[..., Check]] = {
    preset.__name__: preset
    for preset in (
        means,
        keeps_facts,
        not_a_refusal,
        not_a_refusal_multilingual,
        verdict_is,
        classified_as,
        not_circling,
        grounded,
        relevant,
        similarity_or_keywords,
        drift_threshold,
        cluster_classification,
        refusal_cluster,
        trajectory,
    )
}


def _no_refusal(shipped: str, threshold: Threshold | None, doubt: float | None, label: str) -> Check:
    """A gate on the shipped head of this name, with the shipped card of the same name as its threshold."""
    refuses = Head(shipped_head(shipped), of=("refusal",), against=("answer", "disclaimer", "cannot_know"))
    source = shipped_card(shipped) if threshold is None else threshold
    return settled(Gate(refuses, _cutoff_with_doubt(source, refuses, "below", doubt), label))


def _gate(measure: Measure, good: GoodSide, threshold: Threshold, label: str = "") -> Check:
    return settled(Gate(measure, cutoff_of(threshold, measure, good), label))


def _cutoff_with_doubt(threshold: Threshold, measure: Measure, good: GoodSide, doubt: float | None) -> Cutoff:
    """A cutoff on a similarity or a probability; around one chosen by hand lies an unsure band."""
    if isinstance(threshold, int | float):
        width = DOUBT if doubt is None else doubt
        least = -1.0 if isinstance(measure, Similarity | Relevance) else 0.0
        return cutoff_of(threshold, measure, good, doubt=width, within=(least, 1.0))
    if doubt is not None:
        raise SpecError(f"`doubt` is for a threshold that is a number; a card has its own; got {doubt}")
    return cutoff_of(threshold, measure, good)


def _of_closeness(drift: Threshold) -> Threshold:
    return 1 - drift if isinstance(drift, int | float) else drift
