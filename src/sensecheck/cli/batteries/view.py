"""A battery run as people and programs read it: what did not pass and why, counts, uncalibrated lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from sensecheck.batteries.plan import Plan
from sensecheck.checks.introspection import uncalibrated
from sensecheck.cli.check.view import figure
from sensecheck.cli.console import (
    COLOURS,
    Paper,
    outcome,
    outcome_counts,
    quoted,
    safe,
    show_table,
    write_json,
)
from sensecheck.cli.exit_codes import WORST_FIRST
from sensecheck.config import Settings
from sensecheck.core.serialization import to_data
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.runs.jsonl import Writing
from sensecheck.runs.tally import Overview, Tally, Tried, title
from sensecheck.text.escaping import cut

MOST = 20
"""Tests that are shown; the report has them all."""
INDENT = 7
_LONGEST_ANSWER = 300
_LONGEST_TITLE = 44
_NARROWEST = len("unsure")
HOW_TO_CALIBRATE = (
    "fit a line with `sensecheck calibrate LABELLED.jsonl --preset CHECK --fpr 0.05 --name CARD`, "
    "then write `threshold: CARD`"
)


def show_run(paper: Paper, writing: Writing, overview: Overview, pass_rate: float | None) -> None:
    """All of it; what did not pass comes first."""
    worst = [one for word in WORST_FIRST for one in overview.worst.get(word, ())][:MOST]
    for one in worst:
        _show_test(paper, one, worded=overview.by_wording)
        paper.say("")
    if left := overview.tally.total - overview.tally.outcomes["pass"] - len(worst):
        more = f"`sensecheck report {_run_argument(writing)} -o report.html` has them all"
        paper.say((f"and {left:,} more that did not pass; {more}", "dim"))
        paper.say("")
    if len(overview.columns) > 1:
        _show_grid(paper, overview)
    _show_totals(paper, writing, overview, pass_rate)


def summary(writing: Writing, overview: Overview) -> dict[str, Any]:
    """The counts as data, for programs."""
    header = writing.run.header
    return {
        "run": writing.number,
        "file": str(writing.run.path),
        "battery": header.battery,
        **counts(overview.tally),
        "sources": {label: counts(tally) for label, tally in overview.columns.items()},
        "errors": [_error(one) for one in overview.worst.get("error", ())][:MOST],
    }


def counts(tally: Tally) -> dict[str, Any]:
    """How many tests had which outcome, as data."""
    outcomes: dict[str, int] = {word: tally.outcomes[word] for word in reversed(WORST_FIRST)}
    return {
        "tests": tally.total,
        **outcomes,
        "inconsistent": tally.inconsistent,
        "pass_rate": tally.pass_rate,
    }


@dataclass(frozen=True, slots=True)
class Uncalibrated:
    """A test, and its lines that nobody fitted."""

    place: str
    description: str
    lines: tuple[str, ...]


def uncalibrated_in(plan: Plan) -> Iterator[Uncalibrated]:
    """The tests of a plan that have such lines."""
    for test in plan.each_test():
        if names := uncalibrated(test.check):
            yield Uncalibrated(str(test.place), test.description, names)


def show_uncalibrated(found: Sequence[Uncalibrated], *, as_json: bool) -> None:
    """Tell them on standard error, and how a line is fitted."""
    if as_json:
        tests = [to_data(one) for one in found]
        write_json(
            {"error": "uncalibrated lines", "kind": "Uncalibrated", "tests": tests, "mend": HOW_TO_CALIBRATE},
            err=True,
        )
        return
    paper = Paper(stderr=True)
    having = f"{len(found):,} test{' has' if len(found) == 1 else 's have'}"
    paper.say(("uncalibrated: ", "bold red"), f"{having} a line that was not fitted; nothing was asked")
    for one in found[:MOST]:
        names = ", ".join(f"`{safe(name)}`" for name in one.lines)
        paper.say((f"{safe(one.place)}: ", "dim"), f"{safe(one.description)}: {names}", indent=2)
    if len(found) > MOST:
        paper.say((f"and {len(found) - MOST:,} more", "dim"), indent=2)
    paper.say(HOW_TO_CALIBRATE)


def _show_test(paper: Paper, one: Tried, *, worded: bool) -> None:
    result = one.deciding
    paper.say((safe(title(result)), "bold"), label=outcome(one.outcome))
    wording = f", prompt `{safe(result.wording)}`" if worded and result.wording else ""
    paper.say((f"{safe(result.place)}, answered by {safe(result.source)}{wording}", "dim"), indent=INDENT)
    if one.consistency:
        wanted = f"; {result.passes} of {result.runs} must pass"
        paper.say((f"{one.consistency}{wanted}", "yellow"), indent=INDENT)
    _show_reasons(paper, result.verdict)
    if result.answer is not None:
        paper.say(("answer: ", "dim"), quoted(result.answer, most=_LONGEST_ANSWER), indent=INDENT)


def _show_reasons(paper: Paper, verdict: Verdict) -> None:
    """Each assertion that did not pass; of what a model read, also the line that it was held against."""
    if verdict.cutoff is not None or not verdict.parts:
        paper.say(safe(verdict.because), indent=INDENT)
    for part in verdict.parts:
        if part.outcome == "pass":
            continue
        paper.say(
            (safe(part.check), "bold"), f": {safe(part.because)}", label=outcome(part.outcome), indent=INDENT
        )
        every = list(_leaves(part))
        deciding = [leaf for leaf in every if leaf.outcome != "pass"]
        for leaf in deciding or every:  # of an opposite, what passed decides
            if leaf.reading is not None and leaf.cutoff is not None and leaf.fingerprint is not None:
                read = f"{safe(leaf.check)} {figure(leaf.reading.value, leaf.cutoff)}"
                paper.say((f"{read}, wanted {safe(leaf.cutoff.in_words())}", "dim"), indent=2 * INDENT)


def _leaves(verdict: Verdict) -> Iterator[Verdict]:
    """The verdicts that a verdict is made of in the end."""
    if not verdict.parts:
        yield verdict
    for part in verdict.parts:
        yield from _leaves(part)


def _show_grid(paper: Paper, overview: Overview) -> None:
    """The grid, with the share that passed below; names that do not fit side by side are numbered."""
    heads = labels = [safe(label) for label in overview.columns]
    titles = [cut(safe(title(row.first)), _LONGEST_TITLE) for row in overview.grid]
    widths = [max(map(cell_len, titles)), *(2 + max(cell_len(label), _NARROWEST) for label in labels)]
    if paper.is_terminal and sum(widths) > paper.width:
        heads = [str(number) for number in range(1, len(labels) + 1)]
        for number, label in zip(heads, labels, strict=True):
            paper.say(label, label=(f"{number:>3}  ", "bold"))
    rows: list[list[str | Text]] = [
        [text, *(_coloured(row.outcomes.get(label)) for label in overview.columns)]
        for text, row in zip(titles, overview.grid, strict=True)
    ]
    passed = ("passed", *(f"{tally.pass_rate:.1%}" for tally in overview.columns.values()))
    rows.append([Text(text, "bold") for text in passed])
    show_table(paper, ["", *heads], rows, left=len(widths))
    paper.say("")


def _coloured(word: Outcome | None) -> Text:
    return Text(word, COLOURS[word]) if word else Text()


def _show_totals(paper: Paper, writing: Writing, overview: Overview, pass_rate: float | None) -> None:
    tally, header, columns = overview.tally, writing.run.header, len(overview.columns)
    tests = f"{tally.total:,} test{'' if tally.total == 1 else 's'}"
    if columns > 1:
        tests += f" ({header.tests:,} by {columns} {'prompts and ' if overview.by_wording else ''}sources)"
    rate = f" ({tally.pass_rate:.1%} passed)"
    wanted = "" if pass_rate is None else f", wanted {pass_rate:.1%}"
    uneven = f", {tally.inconsistent} inconsistent" if tally.inconsistent else ""
    paper.say((f"{tests}: ", "bold"), outcome_counts(tally.outcomes), f"{uneven}{rate}{wanted}")
    kept = f"run {writing.number} is kept in {safe(str(writing.run.path))}"
    paper.say((f"{kept}; see it with `sensecheck report {_run_argument(writing)} -o report.html`", "dim"))


def _run_argument(writing: Writing) -> str:
    """The run as another command finds it: by its number, or by its file where runs are kept elsewhere."""
    usual = writing.run.path.parent == Settings().runs_folder()
    return str(writing.number) if usual else safe(quote(str(writing.run.path)))


def _error(one: Tried) -> dict[str, Any]:
    result = one.deciding
    return {
        "test": title(result),
        "place": result.place,
        "source": result.source,
        "because": result.verdict.because,
    }
