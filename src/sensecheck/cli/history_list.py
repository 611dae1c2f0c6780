"""`sensecheck history list`: the evaluations that are kept."""

from typing import TYPE_CHECKING

from sensecheck.cli.history_options import Project, TestName, opened
from sensecheck.cli.history_table import cut
from sensecheck.cli.options import Json, Store
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe, show_table
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.store.eval_store import EvalStore

# ruff: noqa: PLC0415 - the parts that read runs bring numpy along, which `--help` does without

_HEAD = ("run", "project", "test", "name", "began", "questions", "answered", "")


def list_(store: Store = None, project: Project = None, test: TestName = None, as_json: Json = False) -> None:
    """List the evaluations that are kept, the oldest first."""
    with extra("store"):
        from sensecheck.evals.qa.compare.brief import RunBrief
        from sensecheck.store.address import store_option

    with opened(store) as held:
        found = held.runs(project=project, test=test)
        answered = _answered(held, found)
        if as_json:
            told = ((RunBrief.of(run).to_data(), answered.get(run.key, 0)) for run in found)
            write_json([{**run, "answered": count} for run, count in told])
        elif found:
            show_table(Paper(), _HEAD, [_row(run, answered.get(run.key, 0)) for run in found], left=5)
        else:
            make = f"sensecheck eval QUESTIONS{safe(store_option(held.address))}"
            Paper().say(f"no evaluation is kept in {safe(held.address)}; make one with `{make}`")


def _answered(store: "EvalStore", found: "list[Run]") -> dict[int, int]:
    """By the number of each run: how many of its questions have an answer."""
    from sqlalchemy import func, select

    from sensecheck.store.engine import reading
    from sensecheck.store.tables import answers

    counts = select(answers.c.run, func.count(answers.c.answer)).group_by(answers.c.run)
    query = counts.where(answers.c.run.in_([run.key for run in found]))

    def read() -> dict[int, int]:
        with reading(store.engine) as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    return store.patience.until_done(read)


def _row(run: "Run", answered: int) -> list[str]:
    left = "" if run.whole else f"interrupted after {run.done:,}"
    began = f"{run.started_at:%Y-%m-%d %H:%M}"
    names = (cut(text) for text in (run.test.project, run.test.name, run.name))
    return [str(run.key), *names, began, f"{run.set.size:,}", f"{answered:,}", left]
