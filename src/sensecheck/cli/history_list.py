"""`sensecheck history list`: the evaluations that are kept."""

from typing import TYPE_CHECKING

from sensecheck.cli.history_options import Project, TestName, opened
from sensecheck.cli.history_table import cut, show_table
from sensecheck.cli.options import Json, Store
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.store.records import Run

# ruff: noqa: PLC0415 - the parts that read runs bring numpy along, which `--help` does without

_HEAD = ("run", "project", "test", "name", "began", "questions", "")


def list_(store: Store = None, project: Project = None, test: TestName = None, as_json: Json = False) -> None:
    """List the evaluations that are kept, the oldest first."""
    with extra("store"):
        from sensecheck.evals.qa.compare.brief import RunBrief

    with opened(store) as held:
        found = held.runs(project=project, test=test)
        if as_json:
            write_json([RunBrief.of(run).to_data() for run in found])
        elif found:
            show_table(Paper(), _HEAD, [_row(run) for run in found], left=5)
        else:
            Paper().say(f"no evaluation is kept in {safe(held.address)}; make one with `sensecheck eval`")


def _row(run: "Run") -> list[str]:
    left = "" if run.whole else f"interrupted after {run.done:,}"
    began = f"{run.started_at:%Y-%m-%d %H:%M}"
    names = (cut(text) for text in (run.test.project, run.test.name, run.name))
    return [str(run.key), *names, began, f"{run.set.size:,}", left]
