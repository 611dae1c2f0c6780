"""Measure similarity to expected answers beside ragas, LlamaIndex and LangChain: `just rag-peers`.

The same pairs, the same encoder, the same numbers; who scores something else is not compared.
Wants an environment with all of them, which `just rag-peers` makes.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from platform import machine, python_version
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed import rag_scorers as scorers
from benchmarks.speed.children import alternate
from benchmarks.speed.eval_pairs import SYSTEMS, Asked, answered, mixed
from benchmarks.speed.measured import Goal, Measured, shown
from benchmarks.speed.rounds import paired, race

from sensecheck.config import Settings
from sensecheck.core.backends import Encoder
from sensecheck.core.loading import load_encoder
from sensecheck.encoders.disk_cache import CachedEncoder
from sensecheck.io.blobcache import VectorFile

RESULTS = Path(__file__).resolve().parents[1] / "results" / "rag_peers.json"
PACKAGES = ("sensecheck", "ragas", "llama-index-core", "langchain-classic", "langchain-core")
OURS = "ours"
THEIRS: Mapping[str, Callable[..., scorers.Score]] = {
    "ragas SemanticSimilarity": scorers.ragas,
    "LlamaIndex SemanticSimilarityEvaluator": scorers.llama_index,
    "LangChain embedding_distance": scorers.langchain,
}
EQUAL = 1e-6
COLD, AGAIN, FIRST = Goal(1.5, "above"), Goal(2.5, "above"), Goal(8, "above")


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    pairs: int
    slices: int
    each: int
    """Pairs of a variant."""
    fresh: int
    """Fresh processes of each contestant."""


FULL, SHORT = Size(2000, 10, 60, 3), Size(60, 3, 20, 1)


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Score pairs beside peers, as ratios in one run.")
    parser.add_argument("--short", action="store_true", help="a minute, to see that it works; writes nothing")
    arguments = parser.parse_args()
    data = Settings.from_environment().data
    if not data:
        sys.exit("wanted: SENSECHECK_DATA as a folder of labelled public data")
    found = measure(Path(data), SHORT if arguments.short else FULL)
    for one in found["measured"]:
        goal = "" if one["goal"] is None else f"; goal {one['goal']}: {'met' if one['met'] else 'missed'}"
        print(f"{one['name']}: {shown(one['ratio'])} ({shown(one['low'])} to {shown(one['high'])}{goal})")
    if not arguments.short:
        RESULTS.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def measure(data: Path, size: Size) -> dict[str, Any]:
    """Every ratio, with what was measured, as plain data."""
    encoder = load_encoder("minilm")
    one, other = mixed(data, size.pairs)
    measured = [
        *first_results(size.fresh),
        *both_runs(encoder, one, other, size.slices, "", (COLD, AGAIN)),
        *both_runs(encoder, *mixed(data, size.each), 2, ", theirs with caches in memory", cached=True),
    ]
    for number, system in enumerate(SYSTEMS):
        answers = answered(data, size.each, SYSTEMS[number - 1]), answered(data, size.each, system)
        measured += both_runs(encoder, *answers, 2, f", second answers by {system}")
    return {
        "versions": {name: version(name) for name in PACKAGES},
        "python": python_version(),
        "machine": machine(),
        "pairs": size.pairs,
        "measured": [one.to_data() for one in measured],
    }


def both_runs(
    encoder: Encoder,
    one: Sequence[Asked],
    other: Sequence[Asked],
    slices: int,
    what: str,
    goals: tuple[Goal | None, Goal | None] = (None, None),
    *,
    cached: bool = False,
) -> list[Measured]:
    """Everybody by ours: cold, then with other answers to the same questions."""
    with tempfile.TemporaryDirectory() as folder:
        kept = CachedEncoder(encoder, VectorFile(Path(folder) / "vectors.sqlite3", max_bytes=2**32))
        given = {OURS: scorers.ours(kept)}
        given |= {name: make(encoder, cached=cached) for name, make in THEIRS.items()}
        runs = [("cold", one, goals[0]), ("second run", other, goals[1])]
        return [
            found
            for run, asked, goal in runs
            for found in compared(taken(given, asked, slices), f"{run}{what}", goal, len(asked))
        ]


def taken(given: Mapping[str, scorers.Score], asked: Sequence[Asked], slices: int) -> dict[str, list[float]]:
    """CPU seconds by contestant and slice, in which they take turns; all must come to the same numbers."""
    size = len(asked) // slices  # neighbours, since every slice must be as mixed as the whole
    parts = [asked[at * size : (at + 1) * size] for at in range(slices)]
    scores: dict[str, list[float]] = {name: [] for name in given}

    def turn(name: str, score: scorers.Score) -> Callable[[], None]:
        coming = iter(parts)
        return lambda: scores[name].extend(score(next(coming)))

    spent = race({name: turn(name, score) for name, score in given.items()}, slices)
    for name, found in scores.items():
        apart = max(abs(max(0.0, a) - b) for a, b in zip(found, scores[OURS], strict=True))
        if apart > EQUAL:
            sys.exit(f"{name} scores something else: {apart:.2g} apart")
    return spent


def compared(spent: Mapping[str, list[float]], what: str, goal: Goal | None, pairs: int) -> list[Measured]:
    """The CPU time of each by that of ours; the goal is held against whoever comes nearest to us."""
    by_name, best = by_ours(spent)
    return [
        Measured.of(
            f"{what}: {name}",
            f"CPU time of {name} by ours, {what}",
            ratios=ratios,
            goal=goal if name == best else None,
            notes={
                "pairs": pairs,
                "ratio of sums": round(sum(spent[name]) / sum(spent[OURS]), 4),
                "pairs per CPU second, ours": round(pairs / sum(spent[OURS]), 1),
                "pairs per CPU second, theirs": round(pairs / sum(spent[name]), 1),
            },
        )
        for name, ratios in by_name.items()
    ]


def by_ours(spent: Mapping[str, list[float]]) -> tuple[dict[str, list[float]], str]:
    """The ratios of each of the others, round by round; and whose median is the lowest."""
    ratios = {name: paired(spent[name], spent[OURS]) for name in spent if name != OURS}
    return ratios, min(ratios, key=lambda name: median(ratios[name]))


def first_results(rounds: int) -> list[Measured]:
    """CPU time from a fresh process to its first score, by that of ours."""
    spent = alternate({name: ("-c", code) for name, code in _FIRST.items()}, rounds)
    by_name, best = by_ours(spent)
    return [
        Measured.of(
            f"first result: {name}",
            f"CPU time of {name} from a fresh process to its first score, by ours",
            ratios=ratios,
            goal=FIRST if name == best else None,
        )
        for name, ratios in by_name.items()
    ]


_PAIR = '"The shop closes at five.", "The shop shuts at five."'
_ENCODER = "from sensecheck.core.loading import load_encoder\nencoder = load_encoder('minilm')\n"
_FIRST: Mapping[str, str] = {
    OURS: _ENCODER
    + f"""
from sensecheck.core.sample import Sample
from sensecheck.measures.metrics import metrics_named
from sensecheck.evaluation.scorer import NamedEncoder, Panel
answer, expected = {_PAIR}
panel = Panel(metrics_named(["semantic_similarity"]), (NamedEncoder("minilm", encoder),))
print(panel.read_each([Sample(answer, expected=expected)])[0][0].value)
""",
    "ragas SemanticSimilarity": _ENCODER
    + f"""
import asyncio
from ragas.embeddings.base import BaseRagasEmbedding
from ragas.metrics.collections import SemanticSimilarity
class Ours(BaseRagasEmbedding):
    def embed_text(self, text, **_):
        return encoder.encode([text])[0].vector.tolist()
    async def aembed_text(self, text, **_):
        return self.embed_text(text)
answer, expected = {_PAIR}
print(asyncio.run(SemanticSimilarity(embeddings=Ours()).ascore(reference=expected, response=answer)).value)
""",
    "LlamaIndex SemanticSimilarityEvaluator": _ENCODER
    + f"""
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.evaluation import SemanticSimilarityEvaluator
class Ours(BaseEmbedding):
    def _get_text_embedding(self, text):
        return encoder.encode([text])[0].vector.tolist()
    def _get_query_embedding(self, query):
        return self._get_text_embedding(query)
    async def _aget_query_embedding(self, query):
        return self._get_text_embedding(query)
answer, expected = {_PAIR}
print(SemanticSimilarityEvaluator(embed_model=Ours()).evaluate(response=answer, reference=expected).score)
""",
    "LangChain embedding_distance": _ENCODER
    + f"""
from langchain_classic.evaluation import load_evaluator
from langchain_core.embeddings import Embeddings
class Ours(Embeddings):
    def embed_documents(self, texts):
        return [placed.vector.tolist() for placed in encoder.encode(texts)]
    def embed_query(self, text):
        return self.embed_documents([text])[0]
answer, expected = {_PAIR}
evaluator = load_evaluator("embedding_distance", embeddings=Ours())
print(evaluator.evaluate_strings(prediction=answer, reference=expected)["score"])
""",
}


if __name__ == "__main__":
    main()
