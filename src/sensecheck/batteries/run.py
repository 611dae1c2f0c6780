"""Running a battery: read, asked, judged, stored and reported, step by step or in one call.

run = run_battery(BatteryRequest(battery="library.battery.yaml"))
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, Self

from sensecheck import __version__
from sensecheck.batteries.battery import BatteryTest
from sensecheck.batteries.judges import without_judge
from sensecheck.batteries.plan import IN_FILE, Plan, conditions_of
from sensecheck.batteries.request import BatteryRequest, validate_requests
from sensecheck.batteries.trials import run_trials
from sensecheck.checks.assess import Case
from sensecheck.checks.introspection import uncalibrated
from sensecheck.checks.second_opinion import Opinions, seconded_each
from sensecheck.core.errors import SpecError
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.runs.export import write_report
from sensecheck.runs.jsonl import (
    BatteryRunWriter,
    RunFile,
    RunFolder,
    RunHeader,
    StoredSummary,
    new_token,
)
from sensecheck.runs.result import Result
from sensecheck.runs.tally import Overview, Tally, TestOutcome, outcomes_by_test, title
from sensecheck.sense import Sense
from sensecheck.sources.loading import SourceOptions, connect
from sensecheck.sources.replay import RecordedSource
from sensecheck.sources.source import MAX_CONCURRENCY, AnswerSource
from sensecheck.text.escaping import counted

MAX_ERRORS = 20
"""Tests that could not be judged and are named in a summary; the run itself has them all."""
_OUTCOMES: tuple[Outcome, ...] = ("pass", "measured", "unsure", "fail", "error")


class BatteryStarted(NamedTuple):
    """A run has begun, or is continued."""

    battery: Path
    number: int
    """What it is resumed by."""
    total: int
    """How many results there will be."""
    notes: tuple[str, ...]


class BatteryProgress(NamedTuple):
    """One more result, which is stored; those of a run that is continued come again."""

    done: int
    total: int
    result: Result


@dataclass(frozen=True, slots=True)
class BatteryRun:
    """A run that is complete: where it is stored, what came of it, and what did not pass."""

    number: int
    file: RunFile
    overview: Overview = field(repr=False)
    required_pass_rate: float | None = None
    """None for all."""
    opinions: Opinions | None = None
    """What a second opinion changed, where one was asked for."""
    notes: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """That of the run: a test that could not be judged outweighs a fail, and that what is unsure."""
        if self.tally.outcomes["error"]:
            return "error"
        required = 1.0 if self.required_pass_rate is None else self.required_pass_rate
        if self.tally.pass_rate >= required:
            return "pass"
        return "fail" if self.tally.outcomes["fail"] else "unsure"

    @property
    def tally(self) -> Tally:
        """How many tests had which outcome."""
        return self.overview.tally

    def tests(self) -> Iterator[TestOutcome]:
        """Every test in every prompt from every source, with its repeats."""
        return outcomes_by_test(self.file.results())

    def write_report(self, path: Path | str) -> None:
        """Write the run in the form that the file's ending names: `.html`, `.xml` for JUnit, `.csv`, …"""
        write_report(self.file, Path(path))

    def to_data(self) -> dict[str, Any]:
        """The counts as plain data, ready for JSON."""
        columns = self.overview.columns.items()
        data = {
            "run": self.number,
            "file": str(self.file.path),
            "battery": self.file.header.battery,
            **tally_to_data(self.tally),
            "sources": {label: tally_to_data(tally) for label, tally in columns},
            "errors": [_error(test) for test in self.overview.worst.get("error", ())][:MAX_ERRORS],
        }
        return data if self.opinions is None else data | {"second_opinion": self.opinions.to_data()}


class ReportWritten(NamedTuple):
    """A report of the request is in its file."""

    path: Path


BatteryStep = BatteryStarted | BatteryProgress | BatteryRun | ReportWritten


class UncalibratedTest(NamedTuple):
    """A test, and its checks whose thresholds were not fitted."""

    place: str
    description: str
    checks: tuple[str, ...]


class UncalibratedThresholds(SpecError):
    """Thresholds were not fitted, where the request requires it."""

    def __init__(self, tests: Sequence[UncalibratedTest]) -> None:
        self.tests = tuple(tests)
        subject = f"{len(tests):,} test{' has' if len(tests) == 1 else 's have'}"
        super().__init__(f"{subject} a threshold that was not fitted; nothing was asked")


@dataclass(frozen=True, slots=True)
class PlannedBattery:
    """A request whose battery is read; nothing is asked yet."""

    request: BatteryRequest
    plan: Plan

    @classmethod
    def of(cls, request: BatteryRequest) -> Self:
        """Read as the request says."""
        test_filter = request.test_filter()
        return cls(request, Plan.of(request.read_battery(), test_filter))

    @property
    def concurrency(self) -> int:
        """How many questions are asked at the same time."""
        return self.request.concurrency or self.plan.battery.concurrency or MAX_CONCURRENCY

    def connect(self, token: str = "") -> tuple[AnswerSource, ...]:
        """The sources; what they answer is found again under the token, if the run is resumed."""
        if self.plan.labels == (IN_FILE,) and self.request.answers is None:  # the tests hold their answers
            return ()
        battery, settings = self.plan.battery, self.request.settings
        options = SourceOptions(
            battery.folder,
            battery.environment,
            timeout=settings.timeout,
            retries=settings.retries,
            concurrency=self.concurrency,
        )
        cache_file = settings.answers_file() if self.request.cached else None
        return connect(battery.sources, options, cache_file=cache_file, run=token)

    def header(self, sources: Sequence[AnswerSource]) -> RunHeader:
        """What is run, so that it is known whether another time it is the same."""
        plan, battery, settings = self.plan, self.plan.battery, self.request.settings
        fingerprints = "\n".join(source.fingerprint for source in sources)
        return RunHeader(
            battery=battery.path.name,
            digest=battery.digest,
            sensecheck=__version__,
            encoder=settings.encoder,
            sources=plan.labels,
            wordings=tuple(prompt.label for prompt in battery.prompts),
            tests=plan.tests,
            cells=plan.trials,
            description=battery.description,
            conditions=conditions_of(plan, settings, second_opinion=self.request.second_opinion),
            answers=sha256(fingerprints.encode()).hexdigest()[:16] if sources else "",
            chosen=plan.test_filter.to_data(),
        )

    def judged(self, sources: Sequence[AnswerSource], sense: Sense, *, done: int = 0) -> Iterator[Result]:
        """The results of all trials but the first `done`, in their order."""

        def judge_each(cases: Iterable[Case]) -> Iterator[Verdict]:
            return sense.judge_each(seconded_each(cases) if self.request.second_opinion else cases)

        return run_trials(self.plan, sources, judge_each, done=done, concurrency=self.concurrency)


def battery_steps(*requests: BatteryRequest) -> Iterator[BatteryStep]:
    """Run batteries one after the other: their start, each result, the run, and each report once written.

    All are read, and found to be right, before the first begins.
    """
    validate_requests(requests)
    planned = [PlannedBattery.of(request) for request in requests]
    if tests := [
        UncalibratedTest(str(test.place), test.description, names)
        for battery in planned
        if battery.request.require_calibrated
        for test in battery.plan.each_test()
        if (names := uncalibrated(test.check))
    ]:
        raise UncalibratedThresholds(tests)
    return (step for battery in planned for step in _steps(battery))


def run_battery(
    request: BatteryRequest, on_progress: Callable[[BatteryProgress], None] | None = None
) -> BatteryRun:
    """The run of a battery in one call; its reports are written."""
    run: BatteryRun | None = None
    for step in battery_steps(request):
        if isinstance(step, BatteryRun):
            run = step
        elif on_progress is not None and isinstance(step, BatteryProgress):
            on_progress(step)
    assert run is not None, "the run is among its steps"
    return run


def tally_to_data(tally: Tally) -> dict[str, Any]:
    """How many tests had which outcome, as plain data."""
    outcomes: dict[str, int] = {word: tally.outcomes[word] for word in _OUTCOMES}
    return {
        "tests": tally.total,
        **outcomes,
        "inconsistent": tally.inconsistent,
        "pass_rate": tally.pass_rate,
    }


def _steps(planned: PlannedBattery) -> Iterator[BatteryStep]:
    request, plan = planned.request, planned.plan
    overview, opinions = Overview(by_wording=len(plan.battery.prompts) > 1), Opinions()
    notes = tuple(_notes_before(planned))
    with _open_run(planned) as (writer, sources):
        yield BatteryStarted(plan.battery.path, writer.number, plan.trials, notes)
        for done, result in enumerate(overview.watch(_results(planned, writer, sources)), 1):
            opinions.count(result.verdict)
            yield BatteryProgress(done, plan.trials, result)
    tally = overview.tally
    counts = {"tests": tally.total, "passed": tally.outcomes["pass"]}
    StoredSummary.write(writer.run.path, results=plan.trials, **counts)
    notes += (*_unused_answers(plan, writer, sources), *_missing_tests(plan))
    counted_opinions = opinions if request.second_opinion else None
    run = BatteryRun(writer.number, writer.run, overview, request.pass_rate, counted_opinions, notes)
    yield run
    for path in dict.fromkeys((*request.report_files(), *plan.battery.reports)):
        run.write_report(path)
        yield ReportWritten(path)


@contextmanager
def _open_run(planned: PlannedBattery) -> Iterator[tuple[BatteryRunWriter, tuple[AnswerSource, ...]]]:
    """A new run, or the one that is resumed, and the sources that it asks."""
    folder, resume = RunFolder(planned.request.settings.runs_folder()), planned.request.resume
    number = None if resume is None else folder.resumable(str(resume), planned.plan.battery.path.name)
    token = new_token() if number is None else folder.token(number)
    sources = planned.connect(token)
    header = planned.header(sources)
    opened = folder.begin(header, token) if number is None else folder.resume(number, header)
    with opened as writer:
        yield writer, sources


def _results(
    planned: PlannedBattery, writer: BatteryRunWriter, sources: Sequence[AnswerSource]
) -> Iterator[Result]:
    """Those that are stored already, then the others, each stored before it is handed on."""
    stored = islice(writer.run.results(), writer.done)
    if writer.done >= planned.plan.trials:
        return stored
    sense = Sense.load(settings=planned.request.settings)
    return chain(stored, writer.keeping(planned.judged(sources, sense, done=writer.done)))


def _notes_before(planned: PlannedBattery) -> Iterator[str]:
    """What is known before anything is asked: a judge that is missing, and answers that are not judged.

    Tests that an interrupted run never reached have not failed in it, and are easily forgotten.
    """
    if note := note_on_own_answers(planned.plan.each_test(), planned.request.answers):
        yield note
    if planned.plan.judged and not planned.request.settings.judge:
        yield f"{without_judge(planned.plan.judged)}; a test that asks it is an error until then"
    failed = planned.plan.test_filter.failed
    if failed is not None and failed.done < failed.total:
        yield (
            f"the run {failed.run} was interrupted: {failed.done:,} of its {failed.total:,} results are "
            "there; tests that it did not reach are not run now"
        )


def note_on_own_answers(tests: Iterable[BatteryTest], answers: Path | str | None) -> str | None:
    """That tests which hold their own answer are not judged by those of a file; None where none does."""
    if answers is None or not (count := sum(test.recorded is not None for test in tests)):
        return None
    which, their = (f"{count:,} tests have", "their") if count > 1 else ("1 test has", "its")
    return (
        f"{which} an answer of {their} own (`providerOutput`), which is judged instead of any in "
        f"`{Path(answers).name}`"
    )


def _unused_answers(plan: Plan, writer: BatteryRunWriter, sources: Sequence[AnswerSource]) -> Iterator[str]:
    """Answers that no test of a complete battery asked for: probably another name, or an old file."""
    if writer.done or plan.chosen is not None:
        return
    for source in sources:
        unused = list(source.unused()) if isinstance(source, RecordedSource) else []
        if unused:
            examples = ", ".join(unused[:3]) + (", …" if len(unused) > 3 else "")
            verb = "was" if len(unused) == 1 else "were"
            yield f"{counted(len(unused), 'recorded answer')} {verb} for no test that wants one: {examples}"


def _missing_tests(plan: Plan) -> Iterator[str]:
    """A test that failed before and was renamed since is not run again, which is easily missed."""
    failed = plan.test_filter.failed
    missing = 0 if failed is None else failed.gone_from(plan.battery)
    if missing:
        tests = f"{counted(missing, 'test')} that did not pass then {'is' if missing == 1 else 'are'}"
        yield f"{tests} no longer in the battery, and not run"


def _error(test: TestOutcome) -> dict[str, Any]:
    result = test.deciding
    return {
        "test": title(result),
        "place": result.place,
        "source": result.source,
        "because": result.verdict.because,
    }
