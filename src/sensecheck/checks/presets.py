"""Checks by name: ours, and the rules that the field already uses, kept exactly under their own names."""

from collections.abc import Callable, Mapping

from sensecheck.checks.cascade import Cascade
from sensecheck.checks.combine import AllOf, AnyOf
from sensecheck.checks.gate import Gate
from sensecheck.checks.refusals import REFUSAL_EXEMPLARS
from sensecheck.core.cutoff import at_least, at_most
from sensecheck.core.protocols import Check
from sensecheck.measures.circling import Circling
from sensecheck.measures.clusters import ClusterMargin
from sensecheck.measures.exemplars import NearestExemplar
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.passages import PassageSimilarity
from sensecheck.measures.repetition import Repetition
from sensecheck.measures.similarity import Similarity


def means(threshold: float = 0.6, doubt: float = 0.1) -> Check:
    """The answer lies near the expected one and changes none of its facts."""
    near = at_least(threshold, doubt=_band(threshold, doubt))
    return AllOf(
        (
            Gate(Similarity(), near),
            Gate(FactAgreement(count=("changed",)), at_least(1.0)),
        ),
        "means",
    )


def keeps_facts() -> Check:
    """The answer states no number, date, name or negation that the expected one has otherwise, or has not."""
    return Gate(FactAgreement(), at_least(1.0), "keeps_facts")


def not_a_refusal(threshold: float = 0.5, doubt: float = 0.1) -> Check:
    """None of the first sentences of the answer is like one of our refusals."""
    far = at_most(threshold, doubt=_band(threshold, doubt))
    return Gate(NearestExemplar(REFUSAL_EXEMPLARS, of="opening"), far, "not_a_refusal")


def classified_as(clusters: Mapping[str, tuple[str, ...]], wanted: str, doubt: float = 0.03) -> Check:
    """The answer lies nearer to the wanted cluster than to any other."""
    return Gate(ClusterMargin(clusters, wanted), at_least(0.0, doubt=(-doubt, doubt)), "classified_as")


def not_circling(threshold: float = 0.3) -> Check:
    """Few of the answer's sentences say again what an earlier one said."""
    return Gate(Repetition(), at_most(threshold), "not_circling")


def grounded() -> Check:
    """The answer uses the passages' words, or lies near them, and states none of its facts otherwise."""
    support = Cascade(
        (
            Gate(KeywordOverlap(), at_least(0.85, doubt=(0.5, 0.85))),
            Gate(PassageSimilarity(), at_least(0.62, doubt=(0.5, 0.62))),
        ),
        "support",
    )
    facts = Gate(FactAgreement(against="passages"), at_least(1.0, doubt=(0.75, 1.0)))
    return AllOf((support, facts), "grounded")


def similarity_or_keywords(similarity: float = 0.7, overlap: float = 0.5) -> Check:
    """The common rule: near the passage, or half of the key words in it. It accepts most hallucinations."""
    return AnyOf(
        (
            Gate(PassageSimilarity(), at_least(similarity)),
            Gate(KeywordOverlap("long"), at_least(overlap)),
        ),
        "similarity_or_keywords",
    )


def drift_threshold(expected: str | None = None, threshold: float = 0.3) -> Check:
    """The common rule: cosine distance to the expected answer of at most `threshold`."""
    return Gate(Similarity(expected), at_least(1 - threshold), "drift_threshold")


def cluster_classification(clusters: Mapping[str, tuple[str, ...]], expected_cluster: str) -> Check:
    """The common rule: the smallest mean distance names the cluster."""
    return Gate(ClusterMargin(clusters, expected_cluster), at_least(0.0), "cluster_classification")


def refusal_cluster(threshold: float = 0.25) -> Check:
    """The common rule: nearer than `threshold` to a refusal is a refusal."""
    return Gate(NearestExemplar(REFUSAL_EXEMPLARS), at_most(1 - threshold), "refusal_cluster")


def trajectory(max_heller_score: float = 0.6) -> Check:
    """The common rule: a heller score of at most `max_heller_score`."""
    return Gate(Circling(), at_most(max_heller_score), "trajectory")


def _band(threshold: float, doubt: float) -> tuple[float, float]:
    """The band of doubt around a line; no closeness lies beyond 1."""
    return max(threshold - doubt, -1.0), min(threshold + doubt, 1.0)


PRESETS: Mapping[str, Callable[..., Check]] = {
    preset.__name__: preset
    for preset in (
        means,
        keeps_facts,
        not_a_refusal,
        classified_as,
        not_circling,
        grounded,
        similarity_or_keywords,
        drift_threshold,
        cluster_classification,
        refusal_cluster,
        trajectory,
    )
}
