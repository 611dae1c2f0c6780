"""The evaluation service of a RAG system: answers generated, read by all metrics, and kept."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import isawaitable
from itertools import islice
from time import perf_counter
from typing import Any, Self

from sensecheck import __version__
from sensecheck.core.backends import Judge, PairScorer
from sensecheck.core.errors import BackendError, SampleError, SpecError
from sensecheck.core.run import Item, MetricScore, PlacedItem, RecordedAnswer, Run, ScoredAnswer
from sensecheck.evaluation.batches import sample_of
from sensecheck.evaluation.scorer import NamedEncoder, Panel
from sensecheck.measures.metrics import metrics_named
from sensecheck.rag_eval.embeddings import EmbeddingModel, Embeddings, mark_of, similarity_each, similarity_of
from sensecheck.rag_eval.records import (
    SEMANTIC,
    Record,
    evaluated_before,
    keep_unanswered,
    metric_scores,
    pair_from,
    question_of,
    questions_left,
    run_of,
    similar_reading,
)
from sensecheck.rag_eval.repo import EvalRepo
from sensecheck.runs.place import Answered
from sensecheck.runs.sql import EvalStore
from sensecheck.store.tables import JUDGED, LEXICAL

_MAX_REASON_CHARS = 200

Said = str | RecordedAnswer
Generate = Callable[[str], Said | Awaitable[Said]]
"""A question to its answer, async or not: a text, or a `RecordedAnswer` that also names its passages."""

NO_ANSWER = "no answer was given"


class RAGEvalService:
    """A store, and the metrics that are read next to the semantic similarity."""

    def __init__(
        self,
        store: EvalStore,
        *,
        metrics: Sequence[str] | None = None,
        judge: Judge | None = None,
        pairs: PairScorer | None = None,
    ) -> None:
        named = metrics if metrics is not None else (*LEXICAL, *(JUDGED if judge else ()))
        self._store = store
        self._repo = EvalRepo(store)
        self._panel = Panel(metrics_named(name for name in named if name != SEMANTIC), (), pairs, judge)

    @classmethod
    def open(cls, address: str) -> Self:
        """On the store at an address: a file of SQLite, or `postgresql://…`."""
        return cls(EvalStore.open(address))

    async def start_test_run(
        self,
        *,
        project: str,
        qa_pairs: Iterable[Item | Mapping[str, object]],
        embedding_model: EmbeddingModel,
        test: str = "default",
        generation: Mapping[str, Any] | None = None,
    ) -> str:
        """Begin a run of these pairs, and give its id.

        A pair has `id`, `question`, `reference_answer` and, if there are some, `passages`. `generation` says
        how answers come about, as plain data: runs are compared that belong to the same test.
        """
        begun = asyncio.to_thread(
            self._begun, project, test, list(map(pair_from, qa_pairs)), mark_of(embedding_model), generation
        )
        return (await begun).id

    async def calculate_semantic_similarity(
        self, reference_answer: str, generated_answer: str, embedding_model: EmbeddingModel
    ) -> float:
        """How alike two answers are in meaning, from 0.0 to 1.0; both are embedded in one call.

        An empty answer gives 0.0 and a warning. Raises `BackendError` where the model fails, and ValueError
        where the dimensions of its vectors differ.
        """
        return await similarity_of((reference_answer, generated_answer), embedding_model)

    async def generate_and_evaluate(
        self, test_run_id: str, qa_pair_id: str, *, generate: Generate, embedding_model: EmbeddingModel
    ) -> Record:
        """Ask for the answer to one pair of a run, read it by all metrics, keep that, and give the record.

        `generate` takes the question; what it raises goes on to the caller, and nothing is kept. Where the
        embedding fails, that is logged, `semantic_similarity` is None with the error kept, and all other
        metrics are there.
        """
        run = await asyncio.to_thread(self._run, test_run_id, embedding_model)
        placed = await asyncio.to_thread(question_of, self._store, run, qa_pair_id)
        given = await generated(placed.item, generate)
        records = await self._evaluated(run, [(placed, given)], embedding_model)
        if not records:
            raise evaluated_before(run, qa_pair_id)
        return records[0]

    async def evaluate_test_run(
        self, test_run_id: str, *, generate: Generate, embedding_model: EmbeddingModel, at_once: int = 16
    ) -> list[Record]:
        """Generate and evaluate all pairs of a run that are left, so many at the same time.

        A question for which `generate` raises is kept without an answer, with the reason; the others go on.
        What someone else has evaluated meanwhile stays as it is, and is not among the records.
        """
        run = await asyncio.to_thread(self._run, test_run_id, embedding_model)
        coming, records = await asyncio.to_thread(questions_left, self._store, run), list[Record]()
        while some := await asyncio.to_thread(lambda: list(islice(coming, at_once))):
            given = await asyncio.gather(*(generated_or_why(placed.item, generate) for placed in some))
            records += await self._evaluated(run, list(zip(some, given, strict=True)), embedding_model)
        return records

    async def save_evaluation_to_db(
        self,
        test_run_id: str,
        qa_pair_id: str,
        answer: str | None,
        *,
        semantic_similarity: float | None,
        metrics: Mapping[str, float | None] | None = None,
        reasoning: Mapping[str, str] | None = None,
        errors: Mapping[str, str] | None = None,
        error: str | None = None,
    ) -> str:
        """Keep an evaluation that was made elsewhere, and give its id.

        `metrics` has numbers by the names of the metrics, None for what was not computed; `reasoning` says
        why by the same names, and `errors` why there is none. `error` says why the answer is None.
        """
        if SEMANTIC in (metrics or {}):
            raise SpecError(f"`{SEMANTIC}` is given twice; leave it out of `metrics`")
        held = {**(metrics or {}), SEMANTIC: semantic_similarity}
        run = await asyncio.to_thread(run_of, self._store, test_run_id)
        placed = await asyncio.to_thread(question_of, self._store, run, qa_pair_id)
        read = tuple(metric_scores(run, held, reasoning or {}, errors or {}))
        told = ScoredAnswer(answer, read, NO_ANSWER if answer is None and not error else error)
        if not await asyncio.to_thread(self._keep, run, [(placed, told)]):
            raise evaluated_before(run, qa_pair_id)
        return f"{run.id}-{placed.position}"

    def _begun(
        self,
        project: str,
        test: str,
        qa_pairs: list[Item],
        mark: tuple[str, str],
        generation: Mapping[str, Any] | None,
    ) -> Run:
        kept = self._store.test(
            project, test, embedding={"encoders": [mark[0]]}, generation=dict(generation or {})
        )
        conditions = {
            "sensecheck": __version__,
            "metrics": [*(metric.name for metric in self._panel.metrics), SEMANTIC],
            "encoders": [list(mark)],
        }
        chosen = self._store.keep_set(project, qa_pairs)
        return self._store.begin(kept, chosen, encoder=mark[1], conditions=conditions)

    def _run(self, test_run_id: str, model: EmbeddingModel) -> Run:
        """The run, which must have been begun with this model: numbers of two are not of one column."""
        run, (name, mark) = run_of(self._store, test_run_id), mark_of(model)
        if run.encoder != mark:
            raise SpecError(
                f"the test run `{run.id}` was begun with the embedding model `{run.encoder}`; "
                f"got `{name}` (`{mark}`): begin another run for it"
            )
        return run

    async def _evaluated(
        self, run: Run, given: Sequence[tuple[PlacedItem, RecordedAnswer]], model: EmbeddingModel
    ) -> list[Record]:
        answers = {
            placed.position: (placed.item.expected, one.answer)
            for placed, one in given
            if one.answer is not None and placed.item.expected is not None
        }
        found = await similarity_each(list(answers.values()), model)
        similar = dict(zip(answers, found, strict=True))
        read = await asyncio.to_thread(self._other_readings, given, model)
        batch = [
            (placed, one.scored((*readings, *similar_reading(run, similar.get(placed.position)))))
            for (placed, one), readings in zip(given, read, strict=True)
        ]
        kept = await asyncio.to_thread(self._keep, run, batch)
        return await asyncio.to_thread(self._repo.get_full_at, run, kept)

    def _other_readings(
        self, given: Sequence[tuple[PlacedItem, RecordedAnswer]], model: EmbeddingModel
    ) -> list[tuple[MetricScore, ...]]:
        """What all other metrics read; those that compare meaning do it by a model that is an encoder."""
        own = (NamedEncoder(model.name, model.encoder),) if isinstance(model, Embeddings) else ()
        panel = replace(self._panel, encoders=own)
        read = iter(panel.read_each([sample_of(p.item, one) for p, one in given if one.answer is not None]))
        return [() if one.answer is None else next(read) for _, one in given]

    def _keep(self, run: Run, batch: Answered) -> list[int]:
        """Keep what no one else has evaluated meanwhile; the positions of that."""
        kept = keep_unanswered(self._store, run, batch)
        if self._store.run_by_key(run.key).whole:
            self._store.finish(run)
        return kept


async def generated_or_why(pair: Item, generate: Generate) -> RecordedAnswer:
    """The answer to a question, or why there is none: one that fails must not end the others."""
    try:
        return await _generated(pair, generate)
    except BackendError as wrong:
        return RecordedAnswer(None, str(wrong))


async def generated(pair: Item, generate: Generate) -> RecordedAnswer:
    """The answer to a question, and how long it took."""
    began = perf_counter()
    coming = generate(pair.question or "")
    said = await coming if isawaitable(coming) else coming
    took = (perf_counter() - began) * 1000
    if isinstance(said, RecordedAnswer):
        return said
    if not isinstance(said, str):
        raise SampleError(f"`generate` must return a string or a `RecordedAnswer`; got {type(said).__name__}")
    return RecordedAnswer(said, latency_ms=took)


async def _generated(pair: Item, generate: Generate) -> RecordedAnswer:
    """The answer; whatever goes wrong in the user's `generate` is an error of ours."""
    try:
        return await generated(pair, generate)
    except Exception as wrong:
        said = " ".join(str(wrong).split())[:_MAX_REASON_CHARS]
        raise BackendError(f"{type(wrong).__name__}: {said}") from wrong
