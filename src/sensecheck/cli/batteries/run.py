"""`sensecheck run`: every test of a battery, asked, judged and reported."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Paper, safe
from sensecheck.cli.exit_codes import FAILED, INTERRUPTED, NOT_JUDGED, PASSED, UNCALIBRATED
from sensecheck.cli.options import Encoder, Json, SecondOpinion, option, settings_with
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.batteries.plan import Choice
    from sensecheck.batteries.run import BatteryRequest
    from sensecheck.config import Settings

# ruff: noqa: PLC0415 - the parts that run a battery bring numpy along, which `--help` does without

RUN_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  every test passed, or the share that --pass-rate asks for",
        "1  a test failed or stayed unsure, and all could be judged",
        "2  a battery or the command is wrong; nothing was asked",
        "3  a test could not be judged: no answer, or nobody to judge it",
        "4  a line is uncalibrated, under --require-calibrated; nothing was asked",
        "130  interrupted; what was judged is kept",
    )
)
_USUAL_NAMES = ("*.battery.yaml", "*.battery.yml", "promptfooconfig.yaml", "promptfooconfig.yml")
_WHICH = "Which tests"
_HOW = "How they are run"
_OUTPUT = "What is made of it"


def run(
    batteries: Annotated[
        list[str] | None,
        typer.Argument(
            help="Test files; without any, those of this folder: *.battery.yaml, promptfooconfig.yaml.",
            metavar="BATTERY…",
            show_default=False,
        ),
    ] = None,
    answers: Annotated[
        Path | None,
        option(
            "--answers",
            about="Judge the answers in this file, and ask nobody: .jsonl, .csv, an earlier run, "
            "or results of promptfoo.",
            panel=_HOW,
            metavar="FILE",
        ),
    ] = None,
    pattern: Annotated[
        str | None,
        option("--filter", about="Tests whose description matches.", panel=_WHICH, metavar="REGEX"),
    ] = None,
    metadata: Annotated[
        list[str] | None,
        option("--filter-metadata", about="Tests with this metadata.", panel=_WHICH, metavar="KEY=VALUE"),
    ] = None,
    failing_of: Annotated[
        str | None,
        option(
            "--failing-of",
            about="Tests that did not pass in an earlier run: its number, `latest`, or its file.",
            panel=_WHICH,
            metavar="RUN",
        ),
    ] = None,
    first: Annotated[
        int | None, option("--first", about="The first so many.", panel=_WHICH, metavar="N")
    ] = None,
    sample: Annotated[
        int | None,
        option(
            "--sample", about="So many by chance, the same for the same --seed.", panel=_WHICH, metavar="N"
        ),
    ] = None,
    seed: Annotated[
        int, option("--seed", about="Which tests chance takes.", panel=_WHICH, metavar="N", default=True)
    ] = 0,
    repeat: Annotated[
        int | None,
        option(
            "--repeat",
            about="Run each test so often, unless it says so itself; all of these runs must pass.",
            panel=_HOW,
            metavar="N",
        ),
    ] = None,
    pass_rate: Annotated[
        float | None,
        option(
            "--pass-rate",
            about="The share of tests that must pass, from 0 to 1; what could not be judged is still a 3.",
            panel=_HOW,
            metavar="SHARE",
        ),
    ] = None,
    require_calibrated: Annotated[
        bool,
        option(
            "--require-calibrated",
            about="Refuse lines on a model's readings that somebody picked.",
            panel=_HOW,
        ),
    ] = False,
    resume: Annotated[
        str | None,
        option(
            "--resume",
            about="Go on with a run that was interrupted: its number, or `latest`.",
            panel=_HOW,
            metavar="RUN",
        ),
    ] = None,
    at_once: Annotated[
        int | None,
        option(
            "--at-once",
            about="Questions under way at the same time; 4 unless the battery says.",
            panel=_HOW,
            metavar="N",
        ),
    ] = None,
    no_cache: Annotated[
        bool, option("--no-cache", about="Ask anew, and keep no answers for other runs.", panel=_HOW)
    ] = False,
    output: Annotated[
        list[Path] | None,
        option(
            "--output",
            "-o",
            about="Write a report: .html, .xml (JUnit), .json, .jsonl, .csv, .md, .promptfoo.json. "
            "Repeat for more; with several batteries, `{battery}` in the name stands for each.",
            panel=_OUTPUT,
            metavar="FILE",
        ),
    ] = None,
    second_opinion: SecondOpinion = None,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Run batteries: ask their questions, judge the answers, keep and show what came of it."""
    from sensecheck.batteries.run import AnswerOptions, read_requests
    from sensecheck.cli.batteries.execute import execute_battery

    files = batteries or _batteries_in_this_folder()
    _must_be_sensible(files, pass_rate, resume, at_once, output or [])
    settings = settings_with(encoder, second_opinion)
    choice = _choice(
        settings, pattern, metadata or [], failing_of, first, sample, seed, repeat, as_json=as_json
    )
    asking = AnswerOptions(answers, at_once, cached=not no_cache, second_opinion=second_opinion is not None)
    requests = read_requests(files, choice, asking, settings)
    if require_calibrated:
        _must_be_calibrated(requests, as_json=as_json)
    codes = [
        execute_battery(request, resume=resume, pass_rate=pass_rate, outputs=output or [], as_json=as_json)
        for request in requests
    ]
    raise typer.Exit(next(code for code in (INTERRUPTED, NOT_JUDGED, FAILED, PASSED) if code in codes))


def _batteries_in_this_folder() -> list[str]:
    """The batteries of this folder, by their usual names."""
    found = [str(path) for name in _USUAL_NAMES for path in sorted(Path().glob(name))]
    if not found:
        wanted = ", ".join(f"`{name}`" for name in _USUAL_NAMES)
        raise SpecError(f"no battery was named, and this folder has none; looked for {wanted}")
    return found


def _choice(
    settings: "Settings",
    pattern: str | None,
    metadata: list[str],
    failing_of: str | None,
    first: int | None,
    sample: int | None,
    seed: int,
    repeat: int | None,
    *,
    as_json: bool,
) -> "Choice":
    from sensecheck.batteries.plan import Choice, Failing
    from sensecheck.runs.jsonl import RunFile, RunFolder

    failing = None
    if failing_of is not None:
        run = RunFile.open(RunFolder(settings.runs_folder()).find(failing_of))
        failing = Failing.of(run)
        _note_what_was_not_reached(run.path, as_json=as_json)
    return Choice(pattern, dict(map(_key_and_value, metadata)), failing, first, sample, seed, repeat)


def _note_what_was_not_reached(path: Path, *, as_json: bool) -> None:
    """Tests that an interrupted run never came to have not failed in it, and are easily forgotten."""
    from sensecheck.runs.jsonl import State

    state = State.of(path)
    if state.header is None or state.whole or as_json:
        return
    Paper(stderr=True).say(
        ("note: ", "bold yellow"),
        f"the run {safe(path.name)} was interrupted: {state.done:,} of its {state.header.cells:,} results ",
        "are there; tests that it did not reach are not run now",
    )


def _key_and_value(given: str) -> tuple[str, str]:
    key, equals, value = given.partition("=")
    if not key or not equals:
        raise SpecError(f"`--filter-metadata` wants KEY=VALUE; found `{given}`")
    return key, value


def _must_be_sensible(
    batteries: list[str],
    pass_rate: float | None,
    resume: str | None,
    at_once: int | None,
    outputs: list[Path],
) -> None:
    """What is asked for can be done; reports in particular are known before anything is paid for."""
    from sensecheck.cli.batteries.execute import must_be_writable

    if pass_rate is not None and not 0 <= pass_rate <= 1:
        raise SpecError(f"`--pass-rate` wants a share from 0 to 1; found {pass_rate}")
    if at_once is not None and at_once < 1:
        raise SpecError(f"`--at-once` wants 1 or more; found {at_once}")
    if len(batteries) > 1 and resume is not None:
        raise SpecError("`--resume` goes on with one run; name one battery")
    must_be_writable([Path(battery) for battery in batteries], outputs)


def _must_be_calibrated(requests: "list[BatteryRequest]", *, as_json: bool) -> None:
    from sensecheck.cli.batteries.view import show_uncalibrated, uncalibrated_in

    found = [one for request in requests for one in uncalibrated_in(request.plan)]
    if found:
        show_uncalibrated(found, as_json=as_json)
        raise typer.Exit(UNCALIBRATED)
