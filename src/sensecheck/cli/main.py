"""The command `sensecheck` and its groups."""

import sys
from io import TextIOWrapper
from types import TracebackType
from typing import Annotated

import typer

import sensecheck
from sensecheck.cli.admin import cache, db, keys, model
from sensecheck.cli.admin.doctor import doctor, schema
from sensecheck.cli.admin.serve import SERVE_EXIT_CODES, mcp, serve, worker
from sensecheck.cli.batteries.lint import LINT_EXIT_CODES, lint
from sensecheck.cli.batteries.run import RUN_EXIT_CODES, run
from sensecheck.cli.calibration import card
from sensecheck.cli.calibration.calibrate import CALIBRATE_EXIT_CODES, calibrate
from sensecheck.cli.calibration.train_head import TRAIN_HEAD_EXIT_CODES, train_head
from sensecheck.cli.check.check import check
from sensecheck.cli.check.embed import embed
from sensecheck.cli.check.explain import explain
from sensecheck.cli.check.ground import ground
from sensecheck.cli.console import Door, write_json, write_line
from sensecheck.cli.evaluation.evaluate import EVAL_EXIT_CODES, eval_
from sensecheck.cli.exit_codes import IN_WORDS, NOT_JUDGED, TOO_FEW
from sensecheck.cli.retrieval.effects import EFFECTS_EXIT_CODES, effects
from sensecheck.cli.retrieval.guard import GUARD_EXIT_CODES, guard
from sensecheck.cli.runs.compare import (
    COMPARE_EXIT_CODES,
    HISTORY_COMPARE_EXIT_CODES,
    RESULTS_COMPARE_EXIT_CODES,
    compare_batteries,
    compare_evaluations,
    compare_large_runs,
    encoders,
)
from sensecheck.cli.runs.labels import WEIGHT_EXIT_CODES, agreement, label, weight
from sensecheck.cli.runs.report import (
    export_evaluation,
    export_large_run,
    report_battery,
    report_evaluation,
    report_large_run,
)
from sensecheck.cli.runs.show import list_, runs, show, summary
from sensecheck.cli.runs.trend import trend

EXAMPLE = "Try: [bold cyan]sensecheck check 'It opened in 1932.' --means 'It opened in 1937.'[/]"

app = typer.Typer(
    cls=Door,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"{EXAMPLE}\n\n{IN_WORDS}\n{TOO_FEW}",
)


@app.callback()
def sensecheck_(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", metavar="", help="Print the version.")] = False,
    as_json: Annotated[bool, typer.Option("--json", hidden=True)] = False,
) -> None:
    """Does this answer mean what it should? Deterministic, offline, explained checks of LLM answers."""
    if version and as_json:
        write_json({"version": sensecheck.__version__})
    elif version:
        write_line(f"sensecheck {sensecheck.__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())
    if context.invoked_subcommand is None:
        raise typer.Exit


history = typer.Typer(no_args_is_help=True, help="Evaluations that were kept: shown and compared.")
history.command("list")(list_)
history.command("show")(show)
history.command("compare", epilog=HISTORY_COMPARE_EXIT_CODES)(compare_evaluations)
history.command("encoders")(encoders)
history.command("trend")(trend)
history.command("label")(label)
history.command("agreement")(agreement)
history.command("weight", epilog=WEIGHT_EXIT_CODES)(weight)
history.command("export")(export_evaluation)
history.command("report")(report_evaluation)

results = typer.Typer(
    no_args_is_help=True, help="Results of large runs (`sensecheck eval … --out`): read where they lie."
)
results.command("summary")(summary)
results.command("compare", epilog=RESULTS_COMPARE_EXIT_CODES)(compare_large_runs)
results.command("report")(report_large_run)
results.command("export")(export_large_run)

app.command("check", epilog=IN_WORDS)(check)
app.command("ground", epilog=IN_WORDS)(ground)
app.command("guard", epilog=GUARD_EXIT_CODES)(guard)
app.command("effects", epilog=EFFECTS_EXIT_CODES)(effects)
app.command("run", epilog=RUN_EXIT_CODES)(run)
app.command("runs")(runs)
app.command("lint", epilog=LINT_EXIT_CODES)(lint)
app.command("compare", epilog=COMPARE_EXIT_CODES)(compare_batteries)
app.command("report")(report_battery)
app.command("eval", epilog=EVAL_EXIT_CODES)(eval_)
app.add_typer(history, name="history")
app.add_typer(results, name="results")
app.add_typer(db.app, name="db")
app.command("explain")(explain)
app.command("embed")(embed)
app.command("calibrate", epilog=CALIBRATE_EXIT_CODES)(calibrate)
app.add_typer(card.app, name="card")
app.command("train-head", epilog=TRAIN_HEAD_EXIT_CODES)(train_head)
app.add_typer(model.app, name="model")
app.add_typer(cache.app, name="cache")
app.command("serve", epilog=SERVE_EXIT_CODES)(serve)
app.add_typer(keys.app, name="keys")
app.command("worker")(worker)
app.command("mcp")(mcp)
app.command("doctor")(doctor)
app.command("schema")(schema)


def main() -> None:
    """The entry point."""
    sys.excepthook = _uncaught
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and "utf" not in stream.encoding.lower():
            stream.reconfigure(errors="replace")
    typer.main.get_command(app)()


def _uncaught(kind: type[BaseException], bug: BaseException, trace: TracebackType | None) -> None:
    """What Python says of a bug, but not its exit code: a 1 would say `fail`."""
    sys.__excepthook__(kind, bug, trace)
    raise SystemExit(NOT_JUDGED)
