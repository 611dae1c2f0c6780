"""A bar for a large run, the same whoever does the work: how far, how fast, how long, what went wrong."""

from collections.abc import Iterable, Iterator

from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.text import Text

from sensecheck.cli.console import Paper, note
from sensecheck.cli.progress_of_runs import Rate
from sensecheck.execution.driver import Phase, Progress

_IN_WORDS: dict[Phase, str] = {
    "routing": "reading the input",
    "assessing": "assessing rows",
    "writing": "writing the manifest",
}


class _Errors(ProgressColumn):
    def render(self, task: Task) -> Text:
        errors = task.fields["errors"]
        return Text(f"{errors:,} error{'' if errors == 1 else 's'}" if errors else "", "magenta")


def large_progress(steps: Iterable[Progress], *, as_json: bool) -> None:
    """Take all steps, with a bar on standard error while they come, if that is a terminal."""
    paper = Paper(stderr=True)
    hidden = as_json or not paper.is_terminal
    columns = (TextColumn("{task.description}"), BarColumn(24), MofNCompleteColumn(), Rate())
    with Bar(
        *columns,
        TimeRemainingColumn(),
        _Errors(),
        console=paper,
        transient=True,
        disable=hidden,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as bar:
        _follow(bar, _with_link_told(steps, as_json=as_json))


def _follow(bar: Bar, steps: Iterable[Progress]) -> None:
    task, phase = bar.add_task("", total=None, errors=0), ""
    for step in steps:
        if step.phase != phase:  # whose speed says nothing about the next one
            phase = step.phase
            bar.reset(task, total=step.total, completed=step.done, description=_IN_WORDS[step.phase])
        bar.update(task, completed=step.done, errors=step.errors)


def _with_link_told(steps: Iterable[Progress], *, as_json: bool) -> Iterator[Progress]:
    told = False
    for step in steps:
        if step.link is not None and not told:
            note(f"watch the workers at {step.link}", as_json=as_json)
            told = True
        yield step
