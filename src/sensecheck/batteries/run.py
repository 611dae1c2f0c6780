"""Running a battery: every question is asked, every answer judged, and each result given in its order.

What a command line asks to be run is read and counted before anything is asked of anybody.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path

from sensecheck import __version__
from sensecheck.batteries.plan import IN_FILE, Cell, Choice, Plan, answered_by, brought, conditions_of
from sensecheck.batteries.prompts import prompt_of
from sensecheck.batteries.reader import read_battery
from sensecheck.checks.assess import Case
from sensecheck.checks.weighted import Scored
from sensecheck.config import Settings, shelf, variables
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.runs.jsonl import RunHeader
from sensecheck.runs.result import AssertionScore, Result
from sensecheck.sources.concurrency import ask_in_order
from sensecheck.sources.loading import SourceOptions, connect
from sensecheck.sources.source import AT_ONCE, Answer, AnswerSource, NoAnswer, Question

JudgeEach = Callable[[Iterable[Case]], Iterator[Verdict]]
CASES_AT_ONCE = 256
"""Answers that are judged together, when they cost nothing to wait for."""
_AT_ONCE_LIVE = 4
"""When each of them is waited for: few enough to see results come."""


def run_battery(
    plan: Plan,
    sources: Sequence[AnswerSource],
    judge_each: JudgeEach,
    *,
    done: int = 0,
    at_once: int = 4,
) -> Iterator[Result]:
    """The results of all questions but the first `done`, in their order; memory is flat in their number.

    What is judged together is counted from the first question of all, so that a run which goes on after an
    interruption encodes the same texts beside each other as one that was never interrupted.
    """
    size = _AT_ONCE_LIVE if any(source.kept for source in sources) else CASES_AT_ONCE
    asked = _answered_cells(plan, done, sources, at_once)
    room = size - done % size
    while some := list(islice(asked, room)):
        yield from _results(some, judge_each)
        room = size


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """Who is asked, and how."""

    answers: Path | None = None
    """A file of answers, in place of the battery's own sources."""
    at_once: int | None = None
    cached: bool = True
    second_opinion: bool = False
    """Whether the judge is asked about what stays unsure."""


@dataclass(frozen=True, slots=True)
class BatteryRequest:
    """One battery that is to be run."""

    plan: Plan
    asking: AnswerOptions
    settings: Settings

    @property
    def name(self) -> str:
        """That of the battery's file."""
        return self.plan.battery.path.name

    @property
    def at_once(self) -> int:
        """How many questions are under way at the same time."""
        return self.asking.at_once or self.plan.battery.at_once or AT_ONCE

    def sources(self, token: str) -> tuple[AnswerSource, ...]:
        """Those that are asked; what they answer is found again under the token, if the run is resumed."""
        if self.plan.labels == (IN_FILE,) and self.asking.answers is None:  # the tests hold their answers
            return ()
        options = SourceOptions(
            self.plan.battery.folder,
            self.plan.battery.environment,
            timeout=self.settings.timeout,
            retries=self.settings.retries,
            at_once=self.at_once,
        )
        kept = self.settings.answers_file() if self.asking.cached else None
        return connect(self.plan.battery.sources, options, kept=kept, run=token)

    def header(self, sources: Sequence[AnswerSource]) -> RunHeader:
        """What is run, so that it can be told whether another time it is the same."""
        battery = self.plan.battery
        marks = "\n".join(source.fingerprint for source in sources)
        return RunHeader(
            battery=self.name,
            digest=battery.digest,
            sensecheck=__version__,
            encoder=self.settings.encoder,
            sources=self.plan.labels,
            wordings=tuple(wording.label for wording in battery.wordings),
            tests=self.plan.tests,
            cells=self.plan.cells,
            description=battery.description,
            conditions=conditions_of(self.plan, self.settings, second_opinion=self.asking.second_opinion),
            answers=sha256(marks.encode()).hexdigest()[:16] if sources else "",
            chosen=self.plan.choice.to_data(),
        )


def read_requests(
    paths: Sequence[str], choice: Choice, asking: AnswerOptions, settings: Settings
) -> list[BatteryRequest]:
    """Every battery, read in whole: one that is wrong is reported before another one is run."""
    environment, cards = variables(), shelf(settings)
    recorded = () if asking.answers is None else brought(asking.answers, "--answers")
    requests = []
    for path in paths:
        battery = read_battery(Path(path), environment=environment, shelf=cards)
        if recorded:
            battery = answered_by(battery, recorded)
        requests.append(BatteryRequest(Plan.of(battery, choice), asking, settings))
    return requests


@dataclass(frozen=True, slots=True)
class InFile:
    """Answers with the text that the battery holds, whatever it is asked."""

    text: str
    label: str = IN_FILE
    fingerprint: str = IN_FILE
    at_once: int = 1
    kept: bool = False

    def answer(self, question: Question) -> Answer:
        """The text."""
        return Answer(self.text)


@dataclass(frozen=True, slots=True)
class AnsweredCell:
    """A question with what came of it."""

    cell: Cell
    prompt: str
    answer: Answer | NoAnswer


def _answered_cells(
    plan: Plan, done: int, sources: Sequence[AnswerSource], at_once: int
) -> Iterator[AnsweredCell]:
    waiting: deque[tuple[Cell, str]] = deque()

    def questions() -> Iterator[tuple[AnswerSource, Question]]:
        for cell in plan.each_cell(done):
            prompt = prompt_of(cell.wording, cell.test, plan.battery.environment)
            waiting.append((cell, prompt))
            yield _source(cell, sources), _question(cell, prompt)

    for answer in ask_in_order(questions(), at_once=at_once):
        yield AnsweredCell(*waiting.popleft(), answer)


def _source(cell: Cell, sources: Sequence[AnswerSource]) -> AnswerSource:
    if cell.test.recorded is not None:
        return InFile(cell.test.recorded)
    return sources[cell.source or 0]


def _question(cell: Cell, prompt: str) -> Question:
    test = cell.test
    return Question(prompt, test.vars, test.key, test.description, test.number, cell.repeat)


def _results(some: Sequence[AnsweredCell], judge_each: JudgeEach) -> Iterator[Result]:
    """What has no answer is not judged: there is nothing that could pass or fail."""
    verdicts = judge_each([case for one in some if (case := _case(one)) is not None])
    for one in some:
        if isinstance(one.answer, NoAnswer):
            verdict = Verdict(one.cell.test.check.name, "error", f"no answer: {one.answer.because}")
            yield _result(one, verdict, ())
        else:
            verdict = next(verdicts)
            yield _result(one, verdict, _scores(one.cell.test.types, one.cell.test.check, verdict))


def _case(one: AnsweredCell) -> Case | None:
    if isinstance(one.answer, NoAnswer):
        return None
    answer = one.answer
    sample = Sample(answer.text, one.prompt or None, latency_ms=answer.latency_ms, cost=answer.cost)
    return sample, one.cell.test.check


def _result(one: AnsweredCell, verdict: Verdict, scores: tuple[AssertionScore, ...]) -> Result:
    cell, test = one.cell, one.cell.test
    answer = one.answer if isinstance(one.answer, Answer) else None
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
        answer=None if answer is None else answer.text,
        repeat=cell.repeat,
        runs=cell.of.runs,
        passes=cell.of.passes,
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
            kind, part.score(held), part.weight, part.metric, part.wanted, _nested_scores(part.check, held)
        )
        for kind, part, held in each
    )


def _nested_scores(check: Check, verdict: Verdict) -> tuple[AssertionScore, ...]:
    if not isinstance(check, Scored):
        return ()
    return _scores((part.check.name for part in check.parts), check, verdict)
