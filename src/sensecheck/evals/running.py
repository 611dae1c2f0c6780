"""Running a battery: every question is asked, every answer judged, and each result told in its order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sensecheck.checks.assess import Case
from sensecheck.checks.weighted import Scored
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.evals.cells import Cell
from sensecheck.evals.choosing import Plan
from sensecheck.evals.format.prompts import prompt_of
from sensecheck.evals.in_file import InFile
from sensecheck.evals.result import Result, Score
from sensecheck.evals.sources.asking import ask_in_order
from sensecheck.evals.sources.source import Answer, NoAnswer, Question, Source

JudgeEach = Callable[[Iterable[Case]], Iterator[Verdict]]
AT_ONCE = 256
"""Answers that are judged together, when they cost nothing to wait for."""
AT_ONCE_LIVE = 4
"""When each of them is waited for: few enough to see results come."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what came of it."""

    cell: Cell
    prompt: str
    answer: Answer | NoAnswer


def run_battery(
    plan: Plan,
    sources: Sequence[Source],
    judge_each: JudgeEach,
    *,
    done: int = 0,
    at_once: int = 4,
) -> Iterator[Result]:
    """The results of all questions but the first `done`, in their order; memory is flat in their number.

    What is judged together is counted from the first question of all, so that a run which goes on after an
    interruption places the same texts beside each other as one that was never interrupted.
    """
    size = AT_ONCE_LIVE if any(source.kept for source in sources) else AT_ONCE
    asked = _asked(plan, done, sources, at_once)
    room = size - done % size
    while some := list(islice(asked, room)):
        yield from _judged(some, judge_each)
        room = size


def _asked(plan: Plan, done: int, sources: Sequence[Source], at_once: int) -> Iterator[Asked]:
    waiting: deque[tuple[Cell, str]] = deque()

    def questions() -> Iterator[tuple[Source, Question]]:
        for cell in plan.each_cell(done):
            prompt = prompt_of(cell.wording, cell.test, plan.battery.environment)
            waiting.append((cell, prompt))
            yield _source(cell, sources), _question(cell, prompt)

    for answer in ask_in_order(questions(), at_once=at_once):
        yield Asked(*waiting.popleft(), answer)


def _source(cell: Cell, sources: Sequence[Source]) -> Source:
    if cell.test.recorded is not None:
        return InFile(cell.test.recorded)
    return sources[cell.source or 0]


def _question(cell: Cell, prompt: str) -> Question:
    test = cell.test
    return Question(prompt, test.vars, test.key, test.description, test.number, cell.repeat)


def _judged(some: Sequence[Asked], judge_each: JudgeEach) -> Iterator[Result]:
    """What has no answer is not judged: there is nothing that could pass or fail."""
    verdicts = judge_each([case for one in some if (case := _case(one)) is not None])
    for one in some:
        if isinstance(one.answer, NoAnswer):
            verdict = Verdict(one.cell.test.check.name, "error", f"no answer: {one.answer.because}")
            yield _result(one, verdict, ())
        else:
            verdict = next(verdicts)
            yield _result(one, verdict, _scores(one.cell.test.types, one.cell.test.check, verdict))


def _case(one: Asked) -> Case | None:
    if isinstance(one.answer, NoAnswer):
        return None
    told = one.answer
    sample = Sample(told.text, one.prompt or None, latency_ms=told.latency_ms, cost=told.cost)
    return sample, one.cell.test.check


def _scores(types: Iterable[str], check: Scored, verdict: Verdict) -> tuple[Score, ...]:
    """What each part was worth; where a part is made of others, also what those were worth."""
    each = zip(types, check.parts, verdict.parts, strict=True)
    return tuple(
        Score(kind, part.score(held), part.weight, part.metric, part.wanted, _within(part.check, held))
        for kind, part, held in each
    )


def _within(check: Check, verdict: Verdict) -> tuple[Score, ...]:
    if not isinstance(check, Scored):
        return ()
    return _scores((part.check.name for part in check.parts), check, verdict)


def _result(one: Asked, verdict: Verdict, scores: tuple[Score, ...]) -> Result:
    cell, test = one.cell, one.cell.test
    told = one.answer if isinstance(one.answer, Answer) else None
    return Result(
        test=test.number,
        key=test.key,
        description=test.description,
        vars=test.vars,
        prompt=one.prompt,
        wording=cell.wording.label,
        source=cell.label,
        verdict=verdict,
        scores=scores,
        answer=None if told is None else told.text,
        repeat=cell.repeat,
        runs=cell.of.runs,
        passes=cell.of.passes,
        latency_ms=None if told is None else told.latency_ms,
        cost=None if told is None else told.cost,
        place=str(test.place),
        metadata=test.metadata,
    )
