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
        names = metrics if metrics is not None else (*LEXICAL, *(JUDGED if judge else ()))
        self._store = store
        self._repo = EvalRepo(store)
        self._panel = Panel(metrics_named(name for name in names if name != SEMANTIC), (), pairs, judge)

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
        pending_run = asyncio.to_thread(
            self._begin_run,
            project,
            test,
            list(map(pair_from, qa_pairs)),
            mark_of(embedding_model),
            generation,
        )
        return (await pending_run).id

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
        answer = await generated(placed.item, generate)
        records = await self._evaluate(run, [(placed, answer)], embedding_model)
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
        questions, records = await asyncio.to_thread(questions_left, self._store, run), list[Record]()
        while batch := await asyncio.to_thread(lambda: list(islice(questions, at_once))):
            answers = await asyncio.gather(*(generated_or_why(placed.item, generate) for placed in batch))
            records += await self._evaluate(run, list(zip(batch, answers, strict=True)), embedding_model)
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
        values = {**(metrics or {}), SEMANTIC: semantic_similarity}
        run = await asyncio.to_thread(run_of, self._store, test_run_id)
        placed = await asyncio.to_thread(question_of, self._store, run, qa_pair_id)
        readings = tuple(metric_scores(run, values, reasoning or {}, errors or {}))
        scored_answer = ScoredAnswer(answer, readings, NO_ANSWER if answer is None and not error else error)
        if not await asyncio.to_thread(self._keep, run, [(placed, scored_answer)]):
            raise evaluated_before(run, qa_pair_id)
        return f"{run.id}-{placed.position}"

    def _begin_run(
        self,
        project: str,
        test: str,
        qa_pairs: list[Item],
        mark: tuple[str, str],
        generation: Mapping[str, Any] | None,
    ) -> Run:
        stored_test = self._store.test(
            project, test, embedding={"encoders": [mark[0]]}, generation=dict(generation or {})
        )
        conditions = {
            "sensecheck": __version__,
            "metrics": [*(metric.name for metric in self._panel.metrics), SEMANTIC],
            "encoders": [list(mark)],
        }
        question_set = self._store.keep_set(project, qa_pairs)
        return self._store.begin(stored_test, question_set, encoder=mark[1], conditions=conditions)

    def _run(self, test_run_id: str, model: EmbeddingModel) -> Run:
        """The run, which must use this model: the numbers of two models are not comparable."""
        run, (name, mark) = run_of(self._store, test_run_id), mark_of(model)
        if run.encoder != mark:
            raise SpecError(
                f"the test run `{run.id}` was begun with the embedding model `{run.encoder}`; "
                f"got `{name}` (`{mark}`): begin another run for it"
            )
        return run

    async def _evaluate(
        self, run: Run, recorded: Sequence[tuple[PlacedItem, RecordedAnswer]], model: EmbeddingModel
    ) -> list[Record]:
        answers = {
            placed.position: (placed.item.expected, answer.answer)
            for placed, answer in recorded
            if answer.answer is not None and placed.item.expected is not None
        }
        similarities = await similarity_each(list(answers.values()), model)
        similarity_by_position = dict(zip(answers, similarities, strict=True))
        other_readings = await asyncio.to_thread(self._other_readings, recorded, model)
        batch = [
            (
                placed,
                answer.scored(
                    (*readings, *similar_reading(run, similarity_by_position.get(placed.position)))
                ),
            )
            for (placed, answer), readings in zip(recorded, other_readings, strict=True)
        ]
        positions = await asyncio.to_thread(self._keep, run, batch)
        return await asyncio.to_thread(self._repo.get_full_at, run, positions)

    def _other_readings(
        self, recorded: Sequence[tuple[PlacedItem, RecordedAnswer]], model: EmbeddingModel
    ) -> list[tuple[MetricScore, ...]]:
        """The scores of all other metrics; those that compare meaning use the model if it is an encoder."""
        encoders = (NamedEncoder(model.name, model.encoder),) if isinstance(model, Embeddings) else ()
        panel = replace(self._panel, encoders=encoders)
        readings = iter(
            panel.read_each(
                [sample_of(p.item, answer) for p, answer in recorded if answer.answer is not None]
            )
        )
        return [() if answer.answer is None else next(readings) for _, answer in recorded]

    def _keep(self, run: Run, batch: Answered) -> list[int]:
        """Store what no one else has evaluated meanwhile, and give its positions."""
        positions = keep_unanswered(self._store, run, batch)
        if self._store.run_by_key(run.key).whole:
            self._store.finish(run)
        return positions


async def generated_or_why(pair: Item, generate: Generate) -> RecordedAnswer:
    """The answer to a question, or why there is none: one that fails must not end the others."""
    try:
        return await _generated(pair, generate)
    except BackendError as error:
        return RecordedAnswer(None, str(error))


async def generated(pair: Item, generate: Generate) -> RecordedAnswer:
    """The answer to a question, and how long it took."""
    start = perf_counter()
    pending = generate(pair.question or "")
    answer = await pending if isawaitable(pending) else pending
    latency_ms = (perf_counter() - start) * 1000
    if isinstance(answer, RecordedAnswer):
        return answer
    if not isinstance(answer, str):
        raise SampleError(
            f"`generate` must return a string or a `RecordedAnswer`; got {type(answer).__name__}"
        )
    return RecordedAnswer(answer, latency_ms=latency_ms)


async def _generated(pair: Item, generate: Generate) -> RecordedAnswer:
    """The answer; any error of the user's `generate` becomes a `BackendError`."""
    try:
        return await generated(pair, generate)
    except Exception as error:
        reason = " ".join(str(error).split())[:_MAX_REASON_CHARS]
        raise BackendError(f"{type(error).__name__}: {reason}") from error
