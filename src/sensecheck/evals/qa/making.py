"""The measures behind the metrics, made one kind at a time: no run pays for the imports of another kind."""

from collections.abc import Callable, Mapping
from functools import partial

from sensecheck.core.protocols import Measure
from sensecheck.evals.qa.metric import Kind

Makers = Mapping[str, Callable[[], Measure]]


def measure_of(name: str, kind: Kind) -> Measure:
    """The measure behind a metric of a kind."""
    return _MAKERS[kind]()[name]()


def _lexical() -> Makers:
    from sensecheck.measures.lexical.content_f1 import ContentF1  # noqa: PLC0415
    from sensecheck.measures.lexical.lexical_aggregate import LexicalAggregate  # noqa: PLC0415
    from sensecheck.measures.lexical.rouge_l import RougeL  # noqa: PLC0415
    from sensecheck.measures.lexical.sentence_bleu import SentenceBleu  # noqa: PLC0415
    from sensecheck.measures.lexical.squad import GoldRecall, SquadExactMatch, SquadF1  # noqa: PLC0415

    return {
        "bleu": SentenceBleu,
        "rouge_l": RougeL,
        "rouge_l_precision": partial(RougeL, of="precision"),
        "rouge_l_recall": partial(RougeL, of="recall"),
        "squad_em": SquadExactMatch,
        "squad_token_f1": SquadF1,
        "content_f1": ContentF1,
        "gold_recall": GoldRecall,
        "lexical_aggregate": LexicalAggregate,
    }


def _semantic() -> Makers:
    from sensecheck.measures.semantic import SemanticSimilarity  # noqa: PLC0415

    return {
        "semantic_similarity": SemanticSimilarity,
        "semantic_angular": partial(SemanticSimilarity, "angular"),
        "semantic_euclidean": partial(SemanticSimilarity, "euclidean"),
        "semantic_manhattan": partial(SemanticSimilarity, "manhattan"),
    }


def _combined() -> Makers:
    from sensecheck.measures.correctness.correctness import Correctness  # noqa: PLC0415
    from sensecheck.measures.recall_and_cosine import RecallAndCosine  # noqa: PLC0415

    return {"recall_and_cosine": RecallAndCosine, "correctness": Correctness}


def _facts() -> Makers:
    from sensecheck.measures.facts.agreement import FactAgreement  # noqa: PLC0415

    # Beside an expected answer, what is missing is wrong, and what is said beyond it need not be.
    return {"fact_agreement": partial(FactAgreement, count=("changed", "missing"))}


def _context() -> Makers:
    from sensecheck.measures.retrieval_closeness import RetrievalCloseness  # noqa: PLC0415
    from sensecheck.measures.support.groundedness import groundedness  # noqa: PLC0415

    return {"grounded": groundedness, "retrieval_closeness": RetrievalCloseness}


def _judged() -> Makers:
    from sensecheck.evals.qa.judged import opinions  # noqa: PLC0415

    made = opinions()
    return {name: partial(made.__getitem__, name) for name in made}


_MAKERS: Mapping[Kind, Callable[[], Makers]] = {
    "lexical": _lexical,
    "semantic": _semantic,
    "combined": _combined,
    "facts": _facts,
    "context": _context,
    "judged": _judged,
}
