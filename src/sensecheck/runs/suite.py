"""The runs of test suites, read as runs of a place: a test in one wording from one source is an item.

Its columns are `passed` (1 for a pass, 0 for a fail, none where it is unsure or could not be judged),
`score`, each named metric of its assertions, `latency_ms` and `cost`; where a test was repeated, their means.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item, MetricScore, PlacedItem, QuestionSet, Run, ScoredAnswer, Test
from sensecheck.execution.local import LocalLocation
from sensecheck.runs.file_place import LabelFiles
from sensecheck.runs.jsonl import RunFile, RunFolder, RunHeader, State
from sensecheck.runs.record import Label
from sensecheck.runs.result import Result
from sensecheck.runs.scanned_place import ScannedPlace
from sensecheck.runs.shift import PASSED, SCORE
from sensecheck.runs.stored_values import LabelKey
from sensecheck.runs.tally import TestOutcome, by_metric, mean_of, outcomes_by_test, title

LATENCY, COST = "latency_ms", "cost"
_KIND = "suites:"
_TEST = "suite"


class SuiteRuns(ScannedPlace):
    """A folder of runs of test suites, as `sensecheck run` writes it; progress is counted in results."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self._named: dict[QuestionSet, Path] = {}
        """Files that are not called by a number, by what they hold."""

    @classmethod
    def open(cls, address: str) -> Self:
        """The runs at `suites:PATH` or at a path."""
        return cls(RunFolder(Path(address.removeprefix(_KIND)).expanduser()))

    @property
    def address(self) -> str:
        """Where it is, as `--store` takes it."""
        return f"{_KIND}{self.folder.path}"

    def each_run(self) -> Iterator[tuple[int, Run | str]]:
        """The runs that have begun, or why not; the project of one is the name of the suite's file."""
        latest = 0.0  # none began before one of a smaller number
        for number in self.folder.numbers():
            path = self.folder.file(number)
            latest = max(latest, path.stat().st_mtime)
            try:
                yield number, self.run_in(path, at=latest)
            except SpecError as wrong:
                yield number, str(wrong)

    def run_in(self, path: Path, *, at: float | None = None) -> Run:
        """The run in a file of the folder, which may have another name than a number."""
        state = State.of(path)
        if state.header is None:
            raise SpecError(f"the run `{path}` was interrupted before it began")
        moment = datetime.fromtimestamp(path.stat().st_mtime if at is None else at, UTC)
        number = int(path.stem) if path.stem.isascii() and path.stem.isdigit() else 0
        run = _run_of(number, state.header, state.done, moment)
        if number and path == self.folder.file(number):
            return run
        self._named[run.set] = path
        return replace(run, key=0, id=path.name)

    def file_of(self, run: Run) -> Path:
        """Where a run is."""
        return self.folder.find(str(run.key)) if run.key else self.folder.path / run.id

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[PlacedItem]:
        """The tests of a run, as far as it has come."""
        file = RunFile.open(self._named.get(chosen) or self.folder.find(str(chosen.key)))
        for position, test in enumerate(outcomes_by_test(file.results())):
            if position >= after:
                yield PlacedItem(position, position, item_of(test, file.header))

    def scored(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[tuple[int, ScoredAnswer]]:
        """How each test came out."""
        selected = None if positions is None else set(positions)
        for position, test in enumerate(outcomes_by_test(RunFile.open(self.file_of(run)).results())):
            if selected is None or position in selected:
                yield position, scored_of(test)

    def version(self, run: Run) -> object:
        """Changes when a run gets more results."""
        return run.id, self.file_of(run).stat().st_size

    def later_labels(self, run: Run) -> Mapping[LabelKey, float]:
        """What people say of the answers."""
        return self._label_files(run).later_labels() if run.key else {}

    def label(self, run: Run, given: Sequence[Label]) -> int:
        """Store those of these labels that are new, or none where one is wrong; how many were."""
        return self._label_files(run).add(run, given, self.answered_by_name(run), {})

    def relabel(self, run: Run, given: Label, *, withdraw: bool = False) -> bool:
        """Replace what this rater said of an answer, or withdraw it; whether anything changed."""
        return self._label_files(run).change(run, given, self.answered_by_name(run), withdraw=withdraw)

    def _label_files(self, run: Run) -> LabelFiles:
        if not run.key:
            raise SpecError(f"`{run.id}` is no run of `{self.folder.path}`; only those have labels")
        return LabelFiles(LocalLocation(self.folder.path), f"{run.key}.labels")


def item_of(one: TestOutcome, header: RunHeader) -> Item:
    """The test; wording and source are part of its id only where there are several of them."""
    first, kinds = one.first, {}
    if len(header.wordings) > 1:
        kinds["wording"] = first.wording
    if len(header.sources) > 1:
        kinds["source"] = first.source
    return Item(first.prompt or title(first), None, (), kinds, " / ".join((first.key, *kinds.values())))


def scored_of(one: TestOutcome) -> ScoredAnswer:
    """The answer that decided, and what all repeats came to."""
    deciding = one.deciding
    error = deciding.verdict.because if deciding.answer is None else None
    scores = (_passed(one), *_means(one.results))
    latency, cost = (mean_of(getattr(result, name) for result in one.results) for name in (LATENCY, COST))
    return ScoredAnswer(deciding.answer, scores, error, None, latency, cost)


def _passed(test: TestOutcome) -> MetricScore:
    because, outcome = test.deciding.verdict.because, test.outcome
    if outcome == "error":
        return MetricScore(PASSED, None, None, because)
    return MetricScore(PASSED, {"pass": 1.0, "fail": 0.0}.get(outcome), because)


def _means(results: Sequence[Result]) -> Iterator[MetricScore]:
    """Of all that has a number in any of the repeats."""
    values_by_repeat = [
        {SCORE: result.score, LATENCY: result.latency_ms, COST: result.cost, **by_metric(result)}
        for result in results
    ]
    for name in dict.fromkeys(name for values in values_by_repeat for name in values):
        value = mean_of(values.get(name) for values in values_by_repeat)
        if value is not None:
            yield MetricScore(name, value)


def _run_of(number: int, header: RunHeader, done: int, at: datetime) -> Run:
    conditions = {
        "sensecheck": header.sensecheck,
        "encoder": header.encoder,
        "answers": header.answers,
        "sources": list(header.sources),
        "wordings": list(header.wordings),
        "chosen": dict(header.chosen),
    }
    return Run(
        number,
        f"suite-{number}-{header.digest[:12]}",
        Test(number, "", header.battery, _TEST, {}, {}),
        QuestionSet(number, header.cells, header.digest),
        header.description,
        "",
        conditions,
        at,
        at if done >= header.cells else None,
        done,
    )
