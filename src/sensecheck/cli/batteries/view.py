"""A battery run as text and JSON: what did not pass and why, counts, uncalibrated thresholds."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

from rich.cells import cell_len
from rich.text import Text

from sensecheck.batteries.run import BatteryRun, BatteryStarted, UncalibratedThresholds
from sensecheck.cli.check.view import figure
from sensecheck.cli.console import (
    COLOURS,
    Console,
    outcome,
    outcome_counts,
    quoted,
    safe,
    show_table,
    write_json,
)
from sensecheck.cli.exit_codes import WORST_FIRST
from sensecheck.config import Settings
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.runs.tally import Overview, TestOutcome, title
from sensecheck.text.escaping import counted, cut

MAX_TESTS = 20
"""Tests that are shown; the report has them all."""
INDENT = 7
_MAX_ANSWER_CHARS = 300
_MAX_TITLE_CHARS = 44
_MIN_COLUMN_WIDTH = len("unsure")
HOW_TO_CALIBRATE = (
    "fit a threshold with `sensecheck calibrate LABELLED.jsonl --preset CHECK --fpr 0.05 --name CARD`, "
    "then write `threshold: CARD`"
)


def show_results(run: BatteryRun) -> None:
    """What did not pass, the sources side by side, and the counts."""
    console, overview = Console(), run.overview
    worst = [test for word in WORST_FIRST for test in overview.worst.get(word, ())][:MAX_TESTS]
    for test in worst:
        _show_test(console, test, by_prompt=overview.by_wording)
        console.line("")
    if remaining := run.tally.total - run.tally.outcomes["pass"] - len(worst):
        more = f"`sensecheck runs report {_run_argument(run)} -o report.html` has them all"
        console.line((f"and {remaining:,} more that did not pass; {more}", "dim"))
        console.line("")
    if len(overview.columns) > 1:
        _show_grid(console, overview)
    _show_totals(console, run)
    if run.opinions is not None:
        console.line(str(run.opinions))


def show_notes(notes: Sequence[str], *, stderr: bool = False, as_json: bool) -> None:
    """What is no error, and yet should be known."""
    if not as_json:
        for note in notes:
            Console(stderr=stderr).line(("note: ", "bold yellow"), safe(note))


def show_interrupted(started: BatteryStarted, *, as_json: bool) -> None:
    """How a run that was interrupted is resumed."""
    if as_json:
        write_json({"error": "interrupted", "kind": "Interrupted", "run": started.number}, err=True)
        return
    Console(stderr=True).line(
        ("interrupted: ", "bold yellow"),
        f"what was judged is saved; continue with `sensecheck run {safe(str(started.battery))} ",
        f"--resume {started.number}` and the same options",
    )


def show_uncalibrated(found: UncalibratedThresholds, *, as_json: bool) -> None:
    """The tests on standard error, and how a threshold is fitted."""
    if as_json:
        tests = [
            {"place": test.place, "description": test.description, "lines": list(test.checks)}
            for test in found.tests
        ]
        error = {"error": "uncalibrated thresholds", "kind": "Uncalibrated"}
        write_json(error | {"tests": tests, "hint": HOW_TO_CALIBRATE}, err=True)
        return
    console = Console(stderr=True)
    console.line(("uncalibrated: ", "bold red"), str(found))
    for test in found.tests[:MAX_TESTS]:
        names = ", ".join(f"`{safe(name)}`" for name in test.checks)
        console.line((f"{safe(test.place)}: ", "dim"), f"{safe(test.description)}: {names}", indent=2)
    if len(found.tests) > MAX_TESTS:
        console.line((f"and {len(found.tests) - MAX_TESTS:,} more", "dim"), indent=2)
    console.line(HOW_TO_CALIBRATE)


def _show_test(console: Console, test: TestOutcome, *, by_prompt: bool) -> None:
    result = test.deciding
    console.line((safe(title(result)), "bold"), label=outcome(test.outcome))
    prompt = f", prompt `{safe(result.wording)}`" if by_prompt and result.wording else ""
    console.line((f"{safe(result.place)}, answered by {safe(result.source)}{prompt}", "dim"), indent=INDENT)
    if test.consistency:
        requirement = f"; {result.passes} of {result.runs} must pass"
        console.line((f"{test.consistency}{requirement}", "yellow"), indent=INDENT)
    _show_reasons(console, result.verdict)
    if result.answer is not None:
        console.line(("answer: ", "dim"), quoted(result.answer, most=_MAX_ANSWER_CHARS), indent=INDENT)


def _show_reasons(console: Console, verdict: Verdict) -> None:
    """Each assertion that did not pass; of what a model read, also the cutoff."""
    if verdict.cutoff is not None or not verdict.parts:
        console.line(safe(verdict.because), indent=INDENT)
    for part in verdict.parts:
        if part.outcome == "pass":
            continue
        console.line(
            (safe(part.check), "bold"), f": {safe(part.because)}", label=outcome(part.outcome), indent=INDENT
        )
        leaves = list(_leaves(part))
        deciding = [leaf for leaf in leaves if leaf.outcome != "pass"]
        for leaf in deciding or leaves:  # of an opposite, what passed decides
            if leaf.reading is not None and leaf.cutoff is not None and leaf.fingerprint is not None:
                reading = f"{safe(leaf.check)} {figure(leaf.reading.value, leaf.cutoff)}"
                console.line((f"{reading}, needs {safe(leaf.cutoff.describe())}", "dim"), indent=2 * INDENT)


def _leaves(verdict: Verdict) -> Iterator[Verdict]:
    """The verdicts that a verdict is made of in the end."""
    if not verdict.parts:
        yield verdict
    for part in verdict.parts:
        yield from _leaves(part)


def _show_grid(console: Console, overview: Overview) -> None:
    """The grid, with the share that passed below; names that do not fit side by side are numbered."""
    heads = labels = [safe(label) for label in overview.columns]
    titles = [cut(safe(title(row.first)), _MAX_TITLE_CHARS) for row in overview.grid]
    widths = [max(map(cell_len, titles)), *(2 + max(cell_len(label), _MIN_COLUMN_WIDTH) for label in labels)]
    if console.is_terminal and sum(widths) > console.width:
        heads = [str(number) for number in range(1, len(labels) + 1)]
        for number, label in zip(heads, labels, strict=True):
            console.line(label, label=(f"{number:>3}  ", "bold"))
    rows: list[list[str | Text]] = [
        [text, *(_coloured(row.outcomes.get(label)) for label in overview.columns)]
        for text, row in zip(titles, overview.grid, strict=True)
    ]
    passed = ("passed", *(f"{tally.pass_rate:.1%}" for tally in overview.columns.values()))
    rows.append([Text(text, "bold") for text in passed])
    show_table(console, ["", *heads], rows, left=len(widths))
    console.line("")


def _coloured(word: Outcome | None) -> Text:
    return Text(word, COLOURS[word]) if word else Text()


def _show_totals(console: Console, run: BatteryRun) -> None:
    tally, header, columns = run.tally, run.file.header, len(run.overview.columns)
    tests = counted(tally.total, "test")
    if columns > 1:
        tests += f" ({header.tests:,} by {columns} {'prompts and ' * run.overview.by_wording}sources)"
    rate = f" ({tally.pass_rate:.1%} passed)"
    required = "" if run.required_pass_rate is None else f", required {run.required_pass_rate:.1%}"
    uneven = f", {tally.inconsistent} inconsistent" if tally.inconsistent else ""
    console.line((f"{tests}: ", "bold"), outcome_counts(tally.outcomes), f"{uneven}{rate}{required}")
    saved = f"run {run.number} is saved in {safe(str(run.file.path))}"
    report = f"sensecheck runs report {_run_argument(run)} -o report.html"
    console.line((f"{saved}; see it with `{report}`", "dim"))


def _run_argument(run: BatteryRun) -> str:
    """The run as another command finds it: by its number, or by its file where that is not enough."""
    path, usual = run.file.path, Settings()
    is_clear = path.parent == usual.runs_folder() and not Path(usual.store).exists()
    return str(run.number) if is_clear else safe(quote(str(path)))
