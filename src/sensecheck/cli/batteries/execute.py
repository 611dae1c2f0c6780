"""A battery from its file to its outputs.

The files that reports go to; that they can be written is known before anybody is asked.

One battery run from its first question to its reports.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path

import typer

from sensecheck.batteries.run import Order, run_battery
from sensecheck.checks.assess import Case
from sensecheck.checks.second_opinion import Opinions, seconded_each
from sensecheck.cli.batteries.view import show_run, summary
from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.exit_codes import FAILED, INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.progress_of_runs import battery_progress as shown
from sensecheck.core.errors import SpecError
from sensecheck.core.verdict import Verdict
from sensecheck.runs.export import suffix_of, write_report
from sensecheck.runs.jsonl import RunFolder, Writing, new_token
from sensecheck.runs.result import Result
from sensecheck.runs.tally import Overview, Tally
from sensecheck.sense import Sense
from sensecheck.sources.recorded import Recorded
from sensecheck.sources.source import Source

BATTERY = "{battery}"
"""What stands for a battery in the name of a report."""


def files_for(battery: Path, outputs: Sequence[Path]) -> list[Path]:
    """Where the reports of this battery are written to."""
    return [path.with_name(path.name.replace(BATTERY, battery.stem)) for path in outputs]


def must_be_writable(batteries: Sequence[Path], outputs: Sequence[Path]) -> None:
    """Raise unless every battery has its own files, in folders that take them."""
    for path in outputs:
        suffix_of(path)
        if len(batteries) > 1 and BATTERY not in path.name:
            raise SpecError(f"`{path}` would be written once for each battery; put `{BATTERY}` into its name")
    taken: dict[str, Path] = {}
    for battery in batteries:
        for path in files_for(battery, outputs):
            other = taken.setdefault(str(path).casefold(), battery)
            if other is not battery:
                raise SpecError(
                    f"`{other}` and `{battery}` would both be written to `{path}`; rename one of them, "
                    "or run one at a time"
                )
            _must_take(path)


def _must_take(path: Path) -> None:
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


ENOUGH = 4096
"""No chunk of a run is larger: what is judged together is decided by the run."""


def walk(
    order: Order, *, resume: str | None, pass_rate: float | None, outputs: Sequence[Path], as_json: bool
) -> int:
    """Run it, show and write what came of it; the exit code."""
    opinions = Opinions()
    overview = Overview(by_wording=len(order.plan.battery.wordings) > 1)
    with _opened(order, resume) as (writing, sources):
        try:
            results = shown(_results(order, writing, sources), writing, hidden=as_json)
            for result in overview.watch(results):
                opinions.count(result.verdict)
        except KeyboardInterrupt:
            _say_how_to_resume(order, writing.number, as_json=as_json)
            raise typer.Exit(INTERRUPTED) from None
    code = exit_code(overview.tally, pass_rate)
    if as_json:
        asked = {"second_opinion": opinions.to_data()} if order.asking.second_opinion else {}
        write_json(summary(writing, overview) | asked | {"exit_code": code})
    else:
        show_run(Paper(), writing, overview, pass_rate)
        if order.asking.second_opinion:
            Paper().say(str(opinions))
        _say_what_was_for_nothing(order, writing, sources)
        _say_what_is_gone(order)
    _write_reports(writing, files_for(Path(order.name), outputs), as_json=as_json)
    return code


def exit_code(tally: Tally, pass_rate: float | None) -> int:
    """A test that could not be judged outweighs all others: nobody knows how it would have come out."""
    if tally.outcomes["error"]:
        return NOT_JUDGED
    return PASSED if tally.pass_rate >= (1.0 if pass_rate is None else pass_rate) else FAILED


@contextmanager
def _opened(order: Order, resume: str | None) -> Iterator[tuple[Writing, tuple[Source, ...]]]:
    """A new run, or the one that is resumed, and the sources that it asks."""
    folder = RunFolder(order.settings.runs_folder())
    number = None if resume is None else folder.resumable(resume, order.name)
    token = new_token() if number is None else folder.token(number)
    sources = order.sources(token)
    header = order.header(sources)
    opened = folder.begin(header, token) if number is None else folder.resume(number, header)
    with opened as writing:
        yield writing, sources


def _results(order: Order, writing: Writing, sources: Sequence[Source]) -> Iterator[Result]:
    """What is there already, then what is still to come, each kept before it is handed on."""
    there = islice(writing.run.results(), writing.done)
    if writing.done >= order.plan.cells:
        return there
    sense = Sense.load(settings=order.settings)

    def judge_each(cases: Iterable[Case]) -> Iterator[Verdict]:
        asked = seconded_each(cases) if order.asking.second_opinion else cases
        return sense.judge_each(asked, at_once=ENOUGH)

    coming = run_battery(
        order.plan,
        sources,
        judge_each,
        done=writing.done,
        at_once=order.at_once,
    )
    return chain(there, writing.keeping(coming))


def _say_what_is_gone(order: Order) -> None:
    """A test that failed before and was renamed since is not run again, and nobody should think it was."""
    failing = order.plan.choice.failing
    gone = 0 if failing is None else failing.gone_from(order.plan.battery)
    if gone:
        tests = (
            "1 test that did not pass then is" if gone == 1 else f"{gone:,} tests that did not pass then are"
        )
        Paper().say(("note: ", "bold yellow"), f"{tests} no longer in the battery, and not run")


def _write_reports(writing: Writing, files: Sequence[Path], *, as_json: bool) -> None:
    """After all else was told: a report that cannot be written costs nobody what came of the run."""
    for path in files:
        write_report(writing.run, path)
        if not as_json:
            Paper().say("written to ", (safe(str(path)), "bold"))


def _say_what_was_for_nothing(order: Order, writing: Writing, sources: Sequence[Source]) -> None:
    """Answers that no test of a whole battery asked for are probably a slip: another name, or an old file."""
    if writing.done or order.plan.chosen is not None:
        return
    for source in sources:
        left = list(source.unused()) if isinstance(source, Recorded) else []
        if left:
            some = ", ".join(map(safe, left[:3])) + (", …" if len(left) > 3 else "")
            answers = "answer was" if len(left) == 1 else "answers were"
            Paper().say(("note: ", "bold yellow"), f"{len(left):,} recorded {answers} for no test: {some}")


def _say_how_to_resume(order: Order, number: int, *, as_json: bool) -> None:
    if as_json:
        write_json({"error": "interrupted", "kind": "Interrupted", "run": number}, err=True)
        return
    Paper(stderr=True).say(
        ("interrupted: ", "bold yellow"),
        f"what was judged is kept; go on with `sensecheck run {safe(str(order.plan.battery.path))} ",
        f"--resume {number}` and the same options",
    )
