"""Judging a file of samples: verdicts as they come, and a tally."""

import sys
from collections import Counter, deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from sensecheck.cli.inputs import count_lines, samples_from
from sensecheck.cli.outcomes import WORST_FIRST, exit_code
from sensecheck.cli.output import write_line
from sensecheck.cli.paint import COLOURS, Paper, outcome, safe
from sensecheck.cli.progress import bar
from sensecheck.core.errors import SampleError
from sensecheck.core.verdict import Verdict

if TYPE_CHECKING:
    from sensecheck.checks.staircase import Case
    from sensecheck.core.protocols import Check
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the parts that judge bring numpy along, which `--help` does without

AT_ONCE = 64
"""Few enough for a bar that moves; more at once is hardly faster."""


def judge_file(path: str, check: "Check", settings: "Settings", *, as_json: bool) -> int:
    """Judge every sample of a file; the exit code."""
    from sensecheck.sense import Sense

    waiting: deque[str] = deque()
    sense = Sense.load(settings=settings)
    tally: Counter[str] = Counter()
    with bar(hidden=as_json and sys.stdout.isatty()) as progress:
        task = progress.add_task("judging", total=count_lines(path))
        paper = progress.console if isinstance(progress.console, Paper) and _one_screen() else Paper()
        for verdict in sense.judge_each(_cases(path, check, waiting), at_once=AT_ONCE):
            _write(paper, verdict, waiting.popleft(), as_json=as_json)
            tally[verdict.outcome] += 1
            progress.advance(task)
    if not tally:
        raise SampleError(f"`{safe(path)}` holds no sample; nothing was judged")
    if not as_json or sys.stderr.isatty():
        Paper(stderr=as_json).say(_in_words(tally))
    return exit_code(word for word in WORST_FIRST if tally[word])


def _cases(path: str, check: "Check", waiting: deque[str]) -> "Iterator[Case]":
    for number, sample in samples_from(path):
        waiting.append(f"line {number}" if sample.id is None else sample.id)
        yield sample, check


def _write(paper: Paper, verdict: Verdict, label: str, *, as_json: bool) -> None:
    if as_json:
        write_line(verdict.to_json())
    else:
        paper.say((safe(label), "bold"), ": ", safe(verdict.because), label=outcome(verdict.outcome))


def _one_screen() -> bool:
    """Whether verdicts and bar share a terminal, so that one must not write over the other."""
    return sys.stdout.isatty() and sys.stderr.isatty()


def _in_words(tally: Counter[str]) -> Text:
    counts = [Text(f"{tally[word]} {word}", COLOURS[word]) for word in reversed(WORST_FIRST) if tally[word]]
    return Text.assemble((f"{tally.total()} judged: ", "bold"), Text(", ").join(counts))
