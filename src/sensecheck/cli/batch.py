"""Judging a file of samples: verdicts as they come, and a tally."""

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from rich.text import Text

from sensecheck.cli.inputs import count_lines, samples_from
from sensecheck.cli.outcomes import WORST_FIRST, exit_code
from sensecheck.cli.output import write_line
from sensecheck.cli.paint import COLOURS, Paper, outcome, safe
from sensecheck.cli.progress import bar
from sensecheck.core.errors import SampleError
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome

if TYPE_CHECKING:
    from sensecheck.checks.second_opinion import Opinions
    from sensecheck.sense import Sense
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the parts that judge bring numpy along, which `--help` does without

AT_ONCE = 64
"""Few enough for a bar that moves; more at once is hardly faster."""


class Judged(Protocol):
    """What is told of one answer."""

    @property
    def outcome(self) -> Outcome:
        """One of the five outcomes."""
        ...

    @property
    def because(self) -> str:
        """Why, in words."""
        ...


J = TypeVar("J", bound=Judged)


def judge_file(
    path: str,
    settings: "Settings",
    judge: "Callable[[Sense, Iterator[Sample]], Iterator[J]]",
    *,
    as_json: Callable[[J], str] | None,
    opinions: "Opinions | None" = None,
) -> int:
    """Judge every sample of a file, and write each in a line of words or of JSON; the exit code."""
    from sensecheck.sense import Sense

    waiting: deque[str] = deque()
    sense = Sense.load(settings=settings)
    tally: Counter[str] = Counter()
    with bar(hidden=as_json is not None and sys.stdout.isatty()) as progress:
        task = progress.add_task("judging", total=count_lines(path))
        paper = progress.console if isinstance(progress.console, Paper) and _one_screen() else Paper()
        for judged in judge(sense, _samples(path, waiting)):
            label = waiting.popleft()
            if as_json is not None:
                write_line(as_json(judged))
            else:
                paper.say((safe(label), "bold"), ": ", safe(judged.because), label=outcome(judged.outcome))
            tally[judged.outcome] += 1
            progress.advance(task)
    if not tally:
        raise SampleError(f"`{safe(path)}` holds no sample; nothing was judged")
    if as_json is None or sys.stderr.isatty():
        paper = Paper(stderr=as_json is not None)
        paper.say(_in_words(tally))
        if opinions is not None:
            paper.say(str(opinions))
    return exit_code(word for word in WORST_FIRST if tally[word])


def _samples(path: str, waiting: deque[str]) -> Iterator[Sample]:
    for number, sample in samples_from(path):
        waiting.append(f"line {number}" if sample.id is None else sample.id)
        yield sample


def _one_screen() -> bool:
    """Whether verdicts and bar share a terminal, so that one must not write over the other."""
    return sys.stdout.isatty() and sys.stderr.isatty()


def _in_words(tally: Counter[str]) -> Text:
    counts = [Text(f"{tally[word]} {word}", COLOURS[word]) for word in reversed(WORST_FIRST) if tally[word]]
    return Text.assemble((f"{tally.total()} judged: ", "bold"), Text(", ").join(counts))
