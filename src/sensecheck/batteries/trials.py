"""The trials of a battery, asked and judged: each result in its order, memory flat in their number."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sensecheck.batteries.plan import IN_FILE, Plan, Trial
from sensecheck.batteries.prompts import render_prompt
from sensecheck.checks.assess import Case
from sensecheck.checks.weighted import Scored
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.runs.result import AssertionScore, Result
from sensecheck.sources.concurrency import ask_in_order
from sensecheck.sources.source import MAX_CONCURRENCY, Answer, AnswerSource, NoAnswer, Question

JudgeEach = Callable[[Iterable[Case]], Iterator[Verdict]]
BATCH_SIZE = 256
"""Answers that are judged together, when they cost nothing to wait for."""
LIVE_BATCH_SIZE = 4
"""When each of them is waited for: few enough to see results come."""


def run_trials(
    plan: Plan,
    sources: Sequence[AnswerSource],
    judge_each: JudgeEach,
    *,
    done: int = 0,
    concurrency: int = MAX_CONCURRENCY,
) -> Iterator[Result]:
    """The results of all trials but the first `done`, in their order.

    What is judged together is counted from the first trial of all, so that a run which is resumed encodes the
    same texts together as one that was never interrupted.
    """
    size = LIVE_BATCH_SIZE if any(source.cacheable for source in sources) else BATCH_SIZE
    answered = _answered_trials(plan, done, sources, concurrency)
    count = size - done % size
    while chunk := list(islice(answered, count)):
        yield from _results(chunk, judge_each)
        count = size


@dataclass(frozen=True, slots=True)
class InFile:
    """Answers with the text that the battery holds, whatever it is asked."""

    text: str
    label: str = IN_FILE
    fingerprint: str = IN_FILE
    concurrency: int = 1
    cacheable: bool = False

    def answer(self, question: Question) -> Answer:
        """The text."""
        return Answer(self.text)


@dataclass(frozen=True, slots=True)
class AnsweredTrial:
    """A question with what came of it."""

    trial: Trial
    prompt: str
    answer: Answer | NoAnswer


def _answered_trials(
    plan: Plan, done: int, sources: Sequence[AnswerSource], concurrency: int
) -> Iterator[AnsweredTrial]:
    waiting: deque[tuple[Trial, str]] = deque()

    def questions() -> Iterator[tuple[AnswerSource, Question]]:
        for trial in plan.each_trial(done):
            prompt = render_prompt(trial.prompt, trial.test, plan.battery.environment)
            waiting.append((trial, prompt))
            test = trial.test
            recorded = None if test.recorded is None else InFile(test.recorded)
            question = Question(prompt, test.vars, test.key, test.description, test.number, trial.repeat)
            yield recorded or sources[trial.source or 0], question

    for answer in ask_in_order(questions(), concurrency=concurrency):
        yield AnsweredTrial(*waiting.popleft(), answer)


def _results(trials: Sequence[AnsweredTrial], judge_each: JudgeEach) -> Iterator[Result]:
    """What has no answer is not judged: there is nothing that could pass or fail."""
    verdicts = judge_each([case for answered in trials if (case := _case(answered)) is not None])
    for answered in trials:
        check = answered.trial.test.check
        if isinstance(answered.answer, NoAnswer):
            yield _result(answered, Verdict(check.name, "error", f"no answer: {answered.answer.because}"), ())
        else:
            verdict = next(verdicts)
            yield _result(answered, verdict, _scores(answered.trial.test.types, check, verdict))


def _case(answered: AnsweredTrial) -> Case | None:
    if isinstance(answered.answer, NoAnswer):
        return None
    answer = answered.answer
    latency_ms = None if answer.latency_ms is None else round(answer.latency_ms, 1)  # as people read it
    sample = Sample(answer.text, answered.prompt or None, latency_ms=latency_ms, cost=answer.cost)
    return sample, answered.trial.test.check


def _result(answered: AnsweredTrial, verdict: Verdict, scores: tuple[AssertionScore, ...]) -> Result:
    trial, test = answered.trial, answered.trial.test
    answer = answered.answer if isinstance(answered.answer, Answer) else None
    return Result(
        test=test.number,
        key=test.key,
        description=test.description,
        vars=test.vars,
        prompt=answered.prompt,
        wording=trial.prompt.label,
        source=trial.label,
        verdict=verdict,
        scores=scores,
        answer=None if answer is None else answer.text,
        repeat=trial.repeat,
        runs=trial.of.runs,
        passes=trial.of.passes,
        latency_ms=None if answer is None else answer.latency_ms,
        cost=None if answer is None else answer.cost,
        place=str(test.place),
        metadata=test.metadata,
    )


def _scores(types: Iterable[str], check: Scored, verdict: Verdict) -> tuple[AssertionScore, ...]:
    """What each part was worth; where a part is made of others, also what those were worth."""
    each = zip(types, check.parts, verdict.parts, strict=True)
    return tuple(
        AssertionScore(
            kind,
            part.score(part_verdict),
            part.weight,
            part.metric,
            part.wanted,
            _scores((inner.check.name for inner in part.check.parts), part.check, part_verdict)
            if isinstance(part.check, Scored)
            else (),
        )
        for kind, part, part_verdict in each
    )
