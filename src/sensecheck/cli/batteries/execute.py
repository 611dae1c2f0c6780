"""A battery run from its first question to its reports."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path

import typer

from sensecheck.batteries.run import BatteryRequest, run_battery
from sensecheck.checks.assess import Case
from sensecheck.checks.second_opinion import Opinions, seconded_each
from sensecheck.cli.batteries.view import show_run, summary
from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.exit_codes import FAILED, INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.progress import battery_progress
from sensecheck.core.errors import SpecError
from sensecheck.core.verdict import Verdict
from sensecheck.runs.export import suffix_of, write_report
from sensecheck.runs.jsonl import RunFolder, Writing, new_token
from sensecheck.runs.result import Result
from sensecheck.runs.tally import Overview, Tally
from sensecheck.sense import Sense
from sensecheck.sources.recorded import RecordedSource
from sensecheck.sources.source import AnswerSource

BATTERY_PLACEHOLDER = "{battery}"
"""Stands for each battery in the name of a report."""
CASES_AT_ONCE = 4096
"""No chunk of a run is larger: what is judged together is decided by the run."""


def execute_battery(
    request: BatteryRequest,
    *,
    resume: str | None,
    pass_rate: float | None,
    outputs: Sequence[Path],
    as_json: bool,
) -> int:
    """Run it, show and write what came of it; the exit code."""
    opinions = Opinions()
    overview = Overview(by_wording=len(request.plan.battery.wordings) > 1)
    with _opened(request, resume) as (writing, sources):
        try:
            results = battery_progress(_results(request, writing, sources), writing, hidden=as_json)
            for result in overview.watch(results):
                opinions.count(result.verdict)
        except KeyboardInterrupt:
            _say_how_to_resume(request, writing.number, as_json=as_json)
            raise typer.Exit(INTERRUPTED) from None
    code = _exit_code(overview.tally, pass_rate)
    if as_json:
        opinion = {"second_opinion": opinions.to_data()} if request.asking.second_opinion else {}
        write_json(summary(writing, overview) | opinion | {"exit_code": code})
    else:
        show_run(Paper(), writing, overview, pass_rate)
        if request.asking.second_opinion:
            Paper().say(str(opinions))
        _note_unused_answers(request, writing, sources)
        _note_missing_tests(request)
    _write_reports(writing, _report_files(Path(request.name), outputs), as_json=as_json)
    return code


def must_be_writable(batteries: Sequence[Path], outputs: Sequence[Path]) -> None:
    """Raise unless every battery has its own files, in folders that take them."""
    for path in outputs:
        suffix_of(path)
        if len(batteries) > 1 and BATTERY_PLACEHOLDER not in path.name:
            raise SpecError(
                f"`{path}` would be written once for each battery; put `{BATTERY_PLACEHOLDER}` into its name"
            )
    taken: dict[str, Path] = {}
    for battery in batteries:
        for path in _report_files(battery, outputs):
            other = taken.setdefault(str(path).casefold(), battery)
            if other is not battery:
                raise SpecError(
                    f"`{other}` and `{battery}` would both be written to `{path}`; rename one of them, "
                    "or run one at a time"
                )
            _must_accept_file(path)


def _report_files(battery: Path, outputs: Sequence[Path]) -> list[Path]:
    """Where the reports of this battery are written to."""
    return [path.with_name(path.name.replace(BATTERY_PLACEHOLDER, battery.stem)) for path in outputs]


@contextmanager
def _opened(
    request: BatteryRequest, resume: str | None
) -> Iterator[tuple[Writing, tuple[AnswerSource, ...]]]:
    """A new run, or the one that is resumed, and the sources that it asks."""
    folder = RunFolder(request.settings.runs_folder())
    number = None if resume is None else folder.resumable(resume, request.name)
    token = new_token() if number is None else folder.token(number)
    sources = request.sources(token)
    header = request.header(sources)
    opened = folder.begin(header, token) if number is None else folder.resume(number, header)
    with opened as writing:
        yield writing, sources


def _results(request: BatteryRequest, writing: Writing, sources: Sequence[AnswerSource]) -> Iterator[Result]:
    """What is there already, then what is still to come, each kept before it is handed on."""
    there = islice(writing.run.results(), writing.done)
    if writing.done >= request.plan.cells:
        return there
    sense = Sense.load(settings=request.settings)

    def judge_each(cases: Iterable[Case]) -> Iterator[Verdict]:
        decided = seconded_each(cases) if request.asking.second_opinion else cases
        return sense.judge_each(decided, at_once=CASES_AT_ONCE)

    coming = run_battery(
        request.plan,
        sources,
        judge_each,
        done=writing.done,
        at_once=request.at_once,
    )
    return chain(there, writing.keeping(coming))


def _exit_code(tally: Tally, pass_rate: float | None) -> int:
    """A test that could not be judged outweighs all others: nobody knows how it would have come out."""
    if tally.outcomes["error"]:
        return NOT_JUDGED
    return PASSED if tally.pass_rate >= (1.0 if pass_rate is None else pass_rate) else FAILED


def _note_missing_tests(request: BatteryRequest) -> None:
    """A test that failed before and was renamed since is not run again, and nobody should think it was."""
    failing = request.plan.choice.failing
    missing = 0 if failing is None else failing.gone_from(request.plan.battery)
    if missing:
        tests = (
            "1 test that did not pass then is"
            if missing == 1
            else f"{missing:,} tests that did not pass then are"
        )
        Paper().say(("note: ", "bold yellow"), f"{tests} no longer in the battery, and not run")


def _note_unused_answers(request: BatteryRequest, writing: Writing, sources: Sequence[AnswerSource]) -> None:
    """Answers that no test of a whole battery asked for are probably a slip: another name, or an old file."""
    if writing.done or request.plan.chosen is not None:
        return
    for source in sources:
        left = list(source.unused()) if isinstance(source, RecordedSource) else []
        if left:
            some = ", ".join(map(safe, left[:3])) + (", …" if len(left) > 3 else "")
            answers = "answer was" if len(left) == 1 else "answers were"
            Paper().say(("note: ", "bold yellow"), f"{len(left):,} recorded {answers} for no test: {some}")


def _say_how_to_resume(request: BatteryRequest, number: int, *, as_json: bool) -> None:
    if as_json:
        write_json({"error": "interrupted", "kind": "Interrupted", "run": number}, err=True)
        return
    Paper(stderr=True).say(
        ("interrupted: ", "bold yellow"),
        f"what was judged is kept; go on with `sensecheck run {safe(str(request.plan.battery.path))} ",
        f"--resume {number}` and the same options",
    )


def _write_reports(writing: Writing, files: Sequence[Path], *, as_json: bool) -> None:
    """After all else was shown: a report that cannot be written costs nobody what came of the run."""
    for path in files:
        write_report(writing.run, path)
        if not as_json:
            Paper().say("written to ", (safe(str(path)), "bold"))


def _must_accept_file(path: Path) -> None:
    """A report is written beside its place and then put there, so it is the folder that must allow it."""
    try:
        if path.is_dir():
            raise SpecError(f"`{path}` is a folder; a report wants the name of a file")
        folder = next(parent for parent in path.absolute().parents if parent.exists())
    except OSError as wrong:
        raise SpecError(f"`{path}` cannot be written: {wrong.strerror or wrong}") from wrong
    if not folder.is_dir():
        raise SpecError(f"`{path}` cannot be written: `{folder}` is no folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SpecError(f"`{path}` cannot be written: the folder `{folder}` does not allow it")
