"""Running a set of questions: answered, read by all metrics, and kept, a batch at a time."""

import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from sensecheck.core.run import KeptAnswer, KeptReading, Pair, Placed, Run
from sensecheck.core.sample import Sample
from sensecheck.evals.qa.given import Given
from sensecheck.evals.qa.panel import Panel
from sensecheck.store.eval_store import EvalStore

LOGGER = logging.getLogger("sensecheck.evals")
AT_ONCE = 512
"""Answers that are read and kept together, when they cost nothing to wait for."""
AT_ONCE_LIVE = 16
"""When each of them is waited for: few enough that little is asked again after a kill."""

AnswerEach = Callable[[Sequence[Placed]], Sequence[Given]]
"""An answer, or why there is none, for each question in its order."""
Batch = list[tuple[Placed, KeptAnswer]]


def run_questions(
    store: EvalStore, run: Run, answer_each: AnswerEach, panel: Panel, *, at_once: int = AT_ONCE
) -> Iterator[Batch]:
    """Answer and read all questions that are left, and hand on each batch after it was kept.

    Batches are counted from the first question of all, so that a run which goes on after an interruption
    places the same texts beside each other as one that was never interrupted.
    """
    writer, coming = store.writer(run), store.questions(run.set, after=run.done)
    room = at_once - run.done % at_once
    while some := list(islice(coming, room)):
        batch = read_batch(some, answer_each(some), panel)
        writer.add(batch)
        yield batch
        room = at_once
    store.finish(run)


def read_batch(some: Sequence[Placed], given: Sequence[Given], panel: Panel) -> Batch:
    """The answers with all that was read off them; of a question that nobody answered nothing is read."""
    answered = [(placed, one, one.answer) for placed, one in zip(some, given, strict=True)]
    samples = [sample_of(p.pair, one) for p, one, answer in answered if answer is not None]
    readings = iter(panel.read_each(samples))
    batch = [(p, one.kept(() if answer is None else next(readings))) for p, one, answer in answered]
    _warn_of(batch)
    return batch


def sample_of(pair: Pair, given: Given) -> Sample:
    """What the metrics read: the answer beside its question, its reference and what the prompt held."""
    passages = given.passages if given.passages is not None else pair.passages
    return Sample(
        given.answer or "",
        pair.question,
        pair.expected,
        passages,
        latency_ms=given.latency_ms,
        cost=given.cost,
    )


def read_nothing(batch: Batch) -> dict[str, set[str]]:
    """Metrics that could read none of these answers, though they apply: their names, by the reason."""
    held: dict[tuple[str, str], list[KeptReading]] = {}
    for _, told in batch:
        for one in told.readings:
            held.setdefault((one.metric, one.encoder), []).append(one)
    found: dict[str, set[str]] = {}
    for (metric, _), readings in held.items():
        because = readings[0].error
        if because is not None and all(one.error is not None for one in readings):
            found.setdefault(because, set()).add(metric)
    return found


def _warn_of(batch: Batch) -> None:
    """Say how many answers are empty or unread, in a line or two a batch, by position and never by text."""
    empty = [placed for placed, told in batch if told.answer is not None and not told.answer.strip()]
    if empty:
        counts = len(empty), len(batch), empty[0].position + 1
        LOGGER.warning(
            "%d of %d answers are empty, first that to question %d: their similarity is 0.0", *counts
        )
    unread = [(placed, wrong) for placed, told in batch if (wrong := _unread(told))]
    if unread:
        names = sorted({name for _, wrong in unread for name in wrong})
        counts = len(unread), len(batch), unread[0][0].position + 1
        LOGGER.error(
            "%d of %d answers, first that to question %d, were not read by: %s", *counts, ", ".join(names)
        )


def _unread(told: KeptAnswer) -> set[str]:
    return {one.metric for one in told.readings if one.error is not None}
