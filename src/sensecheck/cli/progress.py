"""A bar that moves while something slow is done."""

from typing import TYPE_CHECKING

from sensecheck.cli.paint import Paper

if TYPE_CHECKING:
    from rich.progress import Progress

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
