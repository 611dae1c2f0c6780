"""A set of questions in batches: answered, read by all metrics, and stored.

A run is resumed only where all that decides its readings is still the same. A model that cannot be reached
is an error before anything is stored, so that its questions can be asked again.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import TYPE_CHECKING, Any

from sensecheck.core.errors import SpecError, Unreachable
from sensecheck.core.run import (
    Item,
    MetricScore,
    PlacedItem,
    QuestionSet,
    RecordedAnswer,
    Run,
    ScoredAnswer,
    digest_of,
)
from sensecheck.core.sample import Sample
from sensecheck.evaluation.scorer import NamedEncoder, Panel
from sensecheck.measures.metrics import Metric
from sensecheck.sources.cache import SourceWrapper
from sensecheck.sources.source import Answer, AnswerSource, NoAnswer, Question

if TYPE_CHECKING:  # they bring SQLAlchemy along
    from sensecheck.runs.place import RunPlace

_LOGGER = logging.getLogger("sensecheck.evaluation")
BATCH_SIZE = 512
"""Answers that are read and stored together, when they cost nothing to wait for."""
LIVE_BATCH_SIZE = 16
"""When each of them is waited for: few enough that little is asked again after a kill."""

AnswerEach = Callable[[Sequence[PlacedItem]], Sequence[RecordedAnswer]]
"""An answer, or why there is none, for each question in its order."""
Batch = list[tuple[PlacedItem, ScoredAnswer]]

_WORDS = {
    "sensecheck": "the version of sensecheck",
    "metrics": "the metrics",
    "encoders": "the encoders",
    "answers": "who answers, or the recorded answers",
    "prompt": "the prompt",
    "guards": "the guards",
    "judge": "the judge",
    "verifier": "the verifier",
    "columns": "the columns of answers or labels",
}


def run_questions(
    store: "RunPlace", run: Run, answer_each: AnswerEach, panel: Panel, *, batch_size: int = BATCH_SIZE
) -> Iterator[Batch]:
    """Answer and read all questions that are left, and yield each batch after it was stored.

    Batches are counted from the first question of all, so that a run which is resumed
    encodes the same texts together as one that was never interrupted.
    """
    writer, questions = store.writer(run), store.questions(run.set, after=run.done)
    room = batch_size - run.done % batch_size
    while placed_items := list(islice(questions, room)):
        batch = read_batch(placed_items, answer_each(placed_items), panel)
        writer.add(batch)
        yield batch
        room = batch_size
    store.finish(run)


def read_batch(some: Sequence[PlacedItem], given: Sequence[RecordedAnswer], panel: Panel) -> Batch:
    """The answers with all that was read off them; of a question without an answer nothing is read."""
    answered = [(placed, recorded, recorded.answer) for placed, recorded in zip(some, given, strict=True)]
    samples = [
        sample_of(placed.item, recorded) for placed, recorded, answer in answered if answer is not None
    ]
    readings = iter(panel.read_each(samples))
    batch = [
        (placed, recorded.scored(() if answer is None else next(readings)))
        for placed, recorded, answer in answered
    ]
    _warn_of(batch)
    return batch


def sample_of(pair: Item, given: RecordedAnswer) -> Sample:
    """What the metrics read: the answer with its question, its reference and what the prompt held."""
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
    scores_by_metric: dict[tuple[str, str], list[MetricScore]] = {}
    for _, answer in batch:
        for score in answer.readings:
            scores_by_metric.setdefault((score.metric, score.encoder), []).append(score)
    names_by_reason: dict[str, set[str]] = {}
    for (metric, _), readings in scores_by_metric.items():
        because = readings[0].error
        if because is not None and all(score.error is not None for score in readings):
            names_by_reason.setdefault(because, set()).add(metric)
    return names_by_reason


@dataclass(frozen=True, slots=True)
class Conditions:
    """All of it, as plain data; neither texts nor keys are in it."""

    sensecheck: str
    metrics: tuple[Metric, ...]
    encoders: tuple[NamedEncoder, ...]
    answers: str
    """The fingerprint of who answers, or of the file in which the answers were recorded."""
    prompt: str = ""
    guards: Sequence[Any] = ()
    judge: str = ""
    verifier: str = ""
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Which columns hold recorded answers, what belongs to them, and labels."""

    def to_data(self) -> dict[str, Any]:
        """As a run keeps it."""
        return {
            **{entry.name: getattr(self, entry.name) for entry in fields(self)},
            "metrics": [metric.name for metric in self.metrics],
            "encoders": [list(one.mark) for one in self.encoders],
            "guards": list(self.guards),
            "columns": dict(self.columns),
        }


def validate_resume(run: Run, chosen: QuestionSet, now: Mapping[str, Any]) -> None:
    """Raise unless the run has questions left, and they are read as those before them were."""
    if run.whole:
        raise SpecError(f"the run {run.key} is complete; there is nothing to resume")
    changed = [] if run.set == chosen else ["the questions"]
    changed += [
        words for key, words in _WORDS.items() if digest_of(run.conditions.get(key)) != digest_of(now[key])
    ]
    if changed:
        raise SpecError(
            f"the run {run.key} cannot be resumed: {', '.join(changed)} changed since it began; "
            "undo that, or leave `--resume` out for a new run"
        )


class ObservedSource(SourceWrapper):
    """A source, and whether anything came of asking it; several threads may ask."""

    def __init__(self, inner: AnswerSource) -> None:
        super().__init__(inner)
        self.reached = False
        """Whether it has said anything in this batch, be it that a question is wrong."""
        self.because: list[str] = []
        """Why it was not reached, each time."""

    def forget(self) -> None:
        """What came of asking it before."""
        self.reached = False
        self.because.clear()

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The answer, or why there is none."""
        reply = self._inner.answer(question)
        if isinstance(reply, NoAnswer) and reply.unreachable:
            self.because.append(reply.because)
        else:
            self.reached = True
        return reply


@dataclass(frozen=True, slots=True)
class UnlessUnreached:
    """What answers; an error where the source was not reached by a batch, or is given up within it.

    A missing answer is stored for good, and is not asked for again when a run is resumed: so a batch that
    reached nothing is not stored, and its questions are asked again.
    """

    answering: AnswerEach
    source: ObservedSource
    run: Run
    url: str
    """Where the source is, as it may be shown."""

    def __call__(self, some: Sequence[PlacedItem]) -> Sequence[RecordedAnswer]:
        """One a question."""
        self.source.forget()
        answers = self.answering(some)
        because = self.source.because
        if because and (not self.source.reached or len(because) >= 2 * self.source.concurrency):
            more = " more" if self.run.done or some[0].position else ""
            raise Unreachable(
                f"no answer from `{self.url}`: {because[0]}; nothing{more} was evaluated; "
                f"try again with `--resume {self.run.key}` and the same options"
            )
        return answers


def _warn_of(batch: Batch) -> None:
    """Log how many answers are empty or unread, at most twice a batch, by position and never by text."""
    empty = [placed for placed, answer in batch if answer.answer is not None and not answer.answer.strip()]
    if empty:
        counts = len(empty), len(batch), empty[0].position + 1
        _LOGGER.warning(
            "%d of %d answers are empty, first that to question %d: their similarity is 0.0", *counts
        )
    unread = [(placed, wrong) for placed, answer in batch if (wrong := _unread(answer))]
    if unread:
        names = sorted({name for _, wrong in unread for name in wrong})
        counts = len(unread), len(batch), unread[0][0].position + 1
        _LOGGER.error(
            "%d of %d answers, first that to question %d, were not read by: %s", *counts, ", ".join(names)
        )


def _unread(answer: ScoredAnswer) -> set[str]:
    return {reading.metric for reading in answer.readings if reading.error is not None}
