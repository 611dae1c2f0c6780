"""Progress bars.

A bar that moves while something slow is done.

Reading labelled rows while a bar moves.
"""

import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sensecheck.cli.console import Paper
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from rich.progress import Progress

    from sensecheck.checks.calibrate import LabelledSample, ReadSample
    from sensecheck.checks.deciding import OpenCheck
    from sensecheck.config import Settings
    from sensecheck.core.backends import Answerers
    from sensecheck.core.protocols import Measure


# ruff: noqa: PLC0415 - only who waits needs a bar


def bar(*, hidden: bool = False) -> "Progress":
    """A bar on standard error, if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    paper = Paper(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=paper,
        transient=True,
        disable=hidden or not paper.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    )


# ruff: noqa: PLC0415 - the parts that judge bring numpy along, which `--help` does without


def read_with_bar(
    rows: "Sequence[LabelledSample]", asked: "Measure | OpenCheck", settings: "Settings", *, as_json: bool
) -> "Iterator[ReadSample]":
    """Each row with what the measure, or the whole check, reads off it."""
    from sensecheck.checks.calibrate import read_each

    answerers = _answerers(rows, asked, settings)
    with bar(hidden=as_json and sys.stdout.isatty()) as progress:
        task = progress.add_task("reading", total=len(rows))
        for read in read_each(rows, asked, answerers):
            yield read
            progress.advance(task)


def _answerers(
    rows: "Sequence[LabelledSample]", asked: "Measure | OpenCheck", settings: "Settings"
) -> "Answerers":
    """Who answers what the rows need; no model is loaded where nothing is."""
    from sensecheck.checks.deciding import OpenCheck
    from sensecheck.checks.gate import Gate
    from sensecheck.config import answerers
    from sensecheck.core.backends import Answerers
    from sensecheck.core.space import Space

    check = asked.reader if isinstance(asked, OpenCheck) else Gate(asked)
    if any(check.needs(row.sample, Space()) for row in rows):
        return answerers(settings)
    return Answerers()


def must_be_able_to_fit() -> None:
    """Raise for a missing package now, rather than after all rows were read."""
    for package in ("scipy", "sklearn"):
        if find_spec(package) is None:
            with extra("train"):
                raise ModuleNotFoundError(name=package)
