"""`sensecheck run` and `lint`: every test of a battery, asked, judged and reported; or looked at before."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.exit_codes import FAILED, INTERRUPTED, NOT_JUDGED, PASSED, UNCALIBRATED
from sensecheck.cli.options import Encoder, Json, SecondOpinion, argument, option, settings_with
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.batteries.lint import LintFinding
    from sensecheck.batteries.request import BatteryRequest
    from sensecheck.core.verdict import Outcome

# ruff: noqa: PLC0415 - the parts that run a battery bring numpy along, which `--help` does without

_EXIT_CODES: "dict[Outcome, int]" = {
    "pass": PASSED,
    "fail": FAILED,
    "unsure": NOT_JUDGED,
    "error": NOT_JUDGED,
}
_WHICH = "Which tests"
_HOW = "How they are run"
_OUTPUT = "What is made of it"


def run(
    batteries: Annotated[
        list[str] | None,
        argument(
            "BATTERY…", "Test files; without any, those of this folder: *.battery.yaml, promptfooconfig.yaml."
        ),
    ] = None,
    answers: Annotated[
        Path | None,
        option(
            "--answers FILE",
            "Judge the answers in this file instead of asking: .jsonl, .csv, an earlier run, or results of "
            "promptfoo.",
            _HOW,
        ),
    ] = None,
    pattern: Annotated[
        str | None, option("--filter REGEX", "Tests whose description matches.", _WHICH)
    ] = None,
    metadata: Annotated[
        list[str] | None, option("--filter-metadata KEY=VALUE", "Tests with this metadata.", _WHICH)
    ] = None,
    only_failed: Annotated[
        str | None,
        option(
            "--only-failed RUN",
            "Tests that did not pass in an earlier run: its number, `latest`, or its file.",
            _WHICH,
        ),
    ] = None,
    limit: Annotated[int | None, option("--limit N", "The first N tests.", _WHICH)] = None,
    sample: Annotated[
        int | None, option("--sample N", "N tests at random, the same for the same --seed.", _WHICH)
    ] = None,
    seed: Annotated[int, option("--seed N", "Seed of the random sample.", _WHICH, default=True)] = 0,
    repeat: Annotated[
        int | None,
        option(
            "--repeat N",
            "Run each test N times, unless it says so itself; all of these runs must pass.",
            _HOW,
        ),
    ] = None,
    pass_rate: Annotated[
        float | None,
        option(
            "--pass-rate SHARE",
            "The share of tests that must pass, from 0 to 1; what could not be judged is still a 3.",
            _HOW,
        ),
    ] = None,
    require_calibrated: Annotated[
        bool,
        option("--require-calibrated", "Refuse thresholds on a model's scores that were not fitted.", _HOW),
    ] = False,
    resume: Annotated[
        str | None,
        option("--resume RUN", "Continue a run that was interrupted: its number, or `latest`.", _HOW),
    ] = None,
    concurrency: Annotated[
        int | None,
        option("--concurrency N", "Questions asked at the same time; 4 unless the battery says.", _HOW),
    ] = None,
    no_cache: Annotated[bool, option("--no-cache", "Ask again, and store no answers.", _HOW)] = False,
    output: Annotated[
        list[Path] | None,
        option(
            "--output -o FILE",
            "Write a report: .html, .xml (JUnit), .json, .jsonl, .csv, .md, .promptfoo.json. Repeat for "
            "more; with several batteries, `{battery}` in the name stands for each.",
            _OUTPUT,
        ),
    ] = None,
    second_opinion: SecondOpinion = None,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Run batteries: ask their questions, judge the answers, save and show the results."""
    from sensecheck.batteries.plan import TestFilter
    from sensecheck.batteries.request import BatteryRequest, batteries_in
    from sensecheck.batteries.run import UncalibratedThresholds
    from sensecheck.cli.batteries.view import show_uncalibrated

    files = batteries or batteries_in(Path())
    request = BatteryRequest(
        battery=files[0],
        tests=TestFilter(
            pattern=pattern,
            metadata=dict(map(_key_and_value, metadata or [])),
            limit=limit,
            sample=sample,
            seed=seed,
            repeat=repeat,
        ),
        only_failed=only_failed,
        answers=answers,
        concurrency=concurrency,
        cached=not no_cache,
        second_opinion=second_opinion is not None,
        require_calibrated=require_calibrated,
        pass_rate=pass_rate,
        resume=resume,
        reports=output or (),
        settings=settings_with(encoder, second_opinion),
    )
    try:
        codes = _run([replace(request, battery=file) for file in files], as_json=as_json)
    except UncalibratedThresholds as uncalibrated:
        show_uncalibrated(uncalibrated, as_json=as_json)
        raise typer.Exit(UNCALIBRATED) from None
    raise typer.Exit(next(code for code in (NOT_JUDGED, FAILED, PASSED) if code in codes))


def lint(
    batteries: Annotated[list[Path], argument("BATTERY…", "Test files.")],
    labelled: Annotated[
        list[Path] | None,
        option(
            "--labelled FILE",
            "The labelled answers that a card was fitted on, if they lie elsewhere. Repeat for more.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look for tests that can never fail, thresholds that were not fitted, leaks, and a missing judge."""
    from sensecheck.batteries.lint import lint_battery

    findings = [finding for path in batteries for finding in lint_battery(path, labelled=labelled or ())]
    if as_json:
        write_json({"findings": [finding.to_data() for finding in findings]})
    else:
        _show_findings(findings, len(batteries))
    raise typer.Exit(FAILED if findings else PASSED)


def _run(requests: "Sequence[BatteryRequest]", *, as_json: bool) -> list[int]:
    """Run and show each of them; their exit codes."""
    from sensecheck.batteries.run import BatteryRun, BatteryStarted, ReportWritten, battery_steps
    from sensecheck.cli.batteries.view import show_interrupted, show_notes, show_results
    from sensecheck.cli.progress import battery_progress

    codes: list[int] = []
    started: BatteryStarted | None = None
    try:
        for step in battery_progress(battery_steps(*requests), hidden=as_json):
            if isinstance(step, BatteryStarted):
                started = step
                show_notes(step.notes, stderr=True, as_json=as_json)
            elif isinstance(step, BatteryRun):
                codes.append(_EXIT_CODES[step.outcome])
                earlier_notes, started = () if started is None else started.notes, None
                if as_json:
                    write_json(step.to_data() | {"exit_code": codes[-1]})
                else:
                    show_results(step)
                show_notes([note for note in step.notes if note not in earlier_notes], as_json=as_json)
            elif isinstance(step, ReportWritten) and not as_json:
                Console().line("written to ", (safe(str(step.path)), "bold"))
    except KeyboardInterrupt:
        if started is None:
            raise
        show_interrupted(started, as_json=as_json)
        raise typer.Exit(INTERRUPTED) from None
    return codes


def _key_and_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise SpecError(f"`--filter-metadata` must be KEY=VALUE; got `{text}`")
    return key, value


def _show_findings(findings: "list[LintFinding]", batteries: int) -> None:
    console = Console()
    for finding in findings:
        console.line((safe(finding.place), "bold"), ": ", safe(finding.says), (f"  [{finding.rule}]", "dim"))
    what = "1 battery" if batteries == 1 else f"{batteries} batteries"
    if findings:
        things = "1 thing" if len(findings) == 1 else f"{len(findings)} things"
        console.line((f"{things} to look at", "bold yellow"), f" in {what}")
    else:
        console.line(("nothing found", "bold green"), f" in {what}")
