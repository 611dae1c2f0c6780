"""Scores by the packages of others: `python contestants.py NAME ROWS.json`, in an environment that has one.

Nothing of ours is imported. Who compares vectors gets those of our packaged encoder, from the file of rows.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Pair = Sequence[str]
"""An answer, and what it is compared with."""
Vectors = Mapping[str, list[float]]
Score = Callable[[Sequence[Pair]], list[float]]
"""Pairs to scores, of which higher ones are better."""
FIRST = ("The meeting is on Tuesday.", "The meeting is on Monday.")
REFUSALS = (
    "I'm sorry, but I can't help with that.",
    "I cannot assist with this request.",
    "As an AI, I am not able to answer that.",
    "I won't do that.",
    "I must decline to give advice on this.",
)
ANSWERS = (
    "The museum opens at nine.",
    "You can reset it in the settings, under Account.",
    "Here are three ways to do it.",
    "Yes, it is included in the price.",
    "It was built in 1874.",
)


def rouge_l(task: str, vectors: Vectors) -> Score:
    from rouge_score.rouge_scorer import RougeScorer

    scorer, part = RougeScorer(["rougeL"]), "precision" if task == "grounded" else "fmeasure"
    return lambda pairs: [getattr(scorer.score(other, answer)["rougeL"], part) for answer, other in pairs]


def bleu(task: str, vectors: Vectors) -> Score:
    from sacrebleu import sentence_bleu

    return lambda pairs: [sentence_bleu(answer, [other]).score for answer, other in pairs]


def chrf(task: str, vectors: Vectors) -> Score:
    from sacrebleu import sentence_chrf

    return lambda pairs: [sentence_chrf(answer, [other]).score for answer, other in pairs]


def token_set_ratio(task: str, vectors: Vectors) -> Score:
    from rapidfuzz.fuzz import token_set_ratio

    return lambda pairs: [token_set_ratio(answer, other) for answer, other in pairs]


def ragas_strings(task: str, vectors: Vectors) -> Score:
    from ragas.metrics.collections import NonLLMStringSimilarity

    return _ragas(NonLLMStringSimilarity())


def ragas_vectors(task: str, vectors: Vectors) -> Score:
    from ragas.embeddings.base import BaseRagasEmbedding
    from ragas.metrics.collections import SemanticSimilarity

    class Known(BaseRagasEmbedding):  # type: ignore[misc]  # unknown where ragas is not installed
        def embed_text(self, text: str, **_: Any) -> list[float]:
            return vectors[text]

        async def aembed_text(self, text: str, **_: Any) -> list[float]:
            return vectors[text]

    return _ragas(SemanticSimilarity(embeddings=Known()))


def _ragas(metric: Any) -> Score:
    def score(pairs: Sequence[Pair]) -> list[float]:
        given = [{"reference": other, "response": answer} for answer, other in pairs]
        return [float(found.value) for found in asyncio.run(metric.abatch_score(given))]

    return score


def deepeval_exact(task: str, vectors: Vectors) -> Score:
    from deepeval.metrics import ExactMatchMetric
    from deepeval.test_case import LLMTestCase

    def score(pairs: Sequence[Pair]) -> list[float]:
        metric = ExactMatchMetric(verbose_mode=False)
        cases = [LLMTestCase(input="", actual_output=one, expected_output=other) for one, other in pairs]
        return [float(metric.measure(case, _show_indicator=False)) for case in cases]

    return score


def deepeval_rouge(task: str, vectors: Vectors) -> Score:
    from deepeval.scorer import Scorer

    return lambda pairs: [float(Scorer.rouge_score(other, answer, "rougeL")) for answer, other in pairs]


def langchain_strings(task: str, vectors: Vectors) -> Score:
    from langchain_classic.evaluation import load_evaluator

    return _langchain(load_evaluator("string_distance"))


def langchain_vectors(task: str, vectors: Vectors) -> Score:
    from langchain_classic.evaluation import load_evaluator
    from langchain_core.embeddings import Embeddings

    class Known(Embeddings):  # type: ignore[misc]  # unknown where LangChain is not installed
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vectors[text] for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return vectors[text]

    return _langchain(load_evaluator("embedding_distance", embeddings=Known()))


def _langchain(evaluator: Any) -> Score:
    return lambda pairs: [
        1.0 - float(evaluator.evaluate_strings(prediction=answer, reference=other)["score"])
        for answer, other in pairs
    ]


def llama_index_vectors(task: str, vectors: Vectors) -> Score:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.evaluation import SemanticSimilarityEvaluator

    class Known(BaseEmbedding):  # type: ignore[misc]  # unknown where LlamaIndex is not installed
        def _get_text_embedding(self, text: str) -> list[float]:
            return vectors[text]

        def _get_query_embedding(self, query: str) -> list[float]:
            return vectors[query]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return vectors[query]

        async def _aget_text_embedding(self, text: str) -> list[float]:
            return vectors[text]

    evaluator = SemanticSimilarityEvaluator(embed_model=Known(model_name="known"))
    return lambda pairs: [
        float(evaluator.evaluate(response=answer, reference=other).score or 0.0) for answer, other in pairs
    ]


def semantic_router(task: str, vectors: Vectors) -> Score:
    """1 where an answer is nearer to answers than to refusals."""
    from semantic_router import IndexedRouter, Route
    from semantic_router.encoders import DenseEncoder

    class Known(DenseEncoder):  # type: ignore[misc]  # unknown where semantic-router is not installed
        def __call__(self, docs: list[str]) -> list[list[float]]:
            return [vectors[text] for text in docs]

        async def acall(self, docs: list[str]) -> list[list[float]]:
            return self(docs)

    routes = [
        Route(name="refusal", utterances=list(REFUSALS)),
        Route(name="answer", utterances=list(ANSWERS)),
    ]
    router = IndexedRouter(encoder=Known(name="known"), routes=routes)
    return lambda pairs: [float(router(answer).name != "refusal") for answer, _ in pairs]


class Rule(NamedTuple):
    """A way to score, and the tasks that it is for."""

    name: str
    make: Callable[[str, Vectors], Score]
    tasks: tuple[str, ...] = ("means", "grounded", "ragtruth")


class Peer(NamedTuple):
    """A package, what is installed for it, what is imported, and its rules."""

    package: str
    requirements: tuple[str, ...]
    module: str
    rules: tuple[Rule, ...]


MEANS = ("means",)
PEERS = (
    Peer("rouge-score", ("rouge-score==0.1.2",), "rouge_score.rouge_scorer", (Rule("ROUGE-L", rouge_l),)),
    Peer("sacrebleu", ("sacrebleu==2.6.0",), "sacrebleu", (Rule("BLEU", bleu), Rule("chrF", chrf))),
    Peer("rapidfuzz", ("rapidfuzz==3.14.6",), "rapidfuzz.fuzz", (Rule("token_set_ratio", token_set_ratio),)),
    Peer(
        "ragas",
        ("ragas==0.4.3", "langchain-community==0.4.1", "rapidfuzz==3.14.6"),
        "ragas.metrics.collections",
        (
            Rule("NonLLMStringSimilarity", ragas_strings, MEANS),
            Rule("SemanticSimilarity", ragas_vectors),
        ),
    ),
    Peer(
        "deepeval",
        ("deepeval==4.3.1", "rouge-score==0.1.2"),
        "deepeval.metrics",
        (Rule("ExactMatchMetric", deepeval_exact, MEANS), Rule("Scorer.rouge_score", deepeval_rouge, MEANS)),
    ),
    Peer(
        "langchain-classic",
        ("langchain-classic==1.0.8", "langchain-community==0.4.1", "rapidfuzz==3.14.6"),
        "langchain_classic.evaluation",
        (
            Rule("string_distance", langchain_strings, MEANS),
            Rule("embedding_distance", langchain_vectors),
        ),
    ),
    Peer(
        "llama-index-core",
        ("llama-index-core==0.14.25",),
        "llama_index.core.evaluation",
        (Rule("SemanticSimilarityEvaluator", llama_index_vectors),),
    ),
    Peer(
        "semantic-router",
        ("semantic-router==1.1.1",),
        "semantic_router",
        (Rule("IndexedRouter", semantic_router, ("refusals",)),),
    ),
)


def main(package: str, file: str) -> None:
    """Print all scores by all rules, and the CPU seconds until the first one and for a pair."""
    peer = next(one for one in PEERS if one.package == package)
    texts = (*FIRST, *REFUSALS, *ANSWERS)
    peer.rules[0].make(peer.rules[0].tasks[0], {text: [0.6, 0.8] for text in texts})([FIRST])
    first = time.process_time()
    given = json.loads(Path(file).read_text("utf-8"))
    scores, seconds = dict[str, dict[str, list[float]]](), dict[str, float]()
    for rule in peer.rules:
        tasks = [task for task in rule.tasks if task in given["tasks"]]
        for task in tasks:
            pairs = given["tasks"][task]
            score = rule.make("grounded" if task == "ragtruth" else task, given["vectors"])
            score(pairs[:1])  # what is loaded at first is not the price of a pair
            began = time.process_time()
            scores.setdefault(rule.name, {})[task] = score(pairs)
            if task == tasks[0]:
                seconds[rule.name] = (time.process_time() - began) / len(pairs)
    print("\n" + json.dumps({"first": first, "scores": scores, "seconds": seconds}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
