"""Running a set of questions: answered, read by all metrics, and kept, a batch at a time."""

import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from sensecheck.core.sample import Sample
from sensecheck.evals.qa.given import Given
from sensecheck.evals.qa.panel import Panel
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.records import KeptAnswer, KeptReading, Pair, Placed, Run

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


def _warn_of(batch: Batch) -> None:
    """Say how many answers are empty or unread, by position and never by text."""
    for placed, told in batch:
        if told.answer is not None and not told.answer.strip():
            LOGGER.warning("question %d has an empty answer: its similarity is 0.0", placed.position + 1)
        elif unread := [one.metric for one in told.readings if _is_unread(one)]:
            LOGGER.error("question %d was not read by: %s", placed.position + 1, ", ".join(unread))


def _is_unread(reading: KeptReading) -> bool:
    return reading.error is not None
