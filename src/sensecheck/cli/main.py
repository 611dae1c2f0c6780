"""The command `sensecheck` and its groups."""

import sys
from io import TextIOWrapper
from types import TracebackType
from typing import Annotated, Any

import typer

import sensecheck
from sensecheck.cli.admin import cache, db, keys, model
from sensecheck.cli.admin.doctor import doctor, schema
from sensecheck.cli.admin.serve import mcp, serve, studio, worker
from sensecheck.cli.batteries.run import lint, run
from sensecheck.cli.calibration import card
from sensecheck.cli.calibration.calibrate import calibrate
from sensecheck.cli.calibration.train_head import train_head
from sensecheck.cli.check.check import check
from sensecheck.cli.check.explain import embed, explain
from sensecheck.cli.check.ground import ground
from sensecheck.cli.console import RootGroup, note, write_json, write_line
from sensecheck.cli.evaluation.evaluate import eval_
from sensecheck.cli.exit_codes import ALL_IN_A_LINE, EXIT_CODES, NOT_JUDGED, codes_of
from sensecheck.cli.options import Verb, option
from sensecheck.cli.retrieval.effects import effects
from sensecheck.cli.retrieval.guard import guard
from sensecheck.cli.runs.compare import compare_runs, encoders
from sensecheck.cli.runs.labels import agreement, label, weight
from sensecheck.cli.runs.list import collect, list_runs
from sensecheck.cli.runs.report import export, report
from sensecheck.cli.runs.select import EarlierVerb
from sensecheck.cli.runs.show import show
from sensecheck.cli.runs.trend import trend

EXAMPLE = "Try: sensecheck check 'It opened in 1932.' --means 'It opened in 1937.'"

app = typer.Typer(
    cls=RootGroup,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"{EXAMPLE}\n{ALL_IN_A_LINE}",
)


@app.callback()
def sensecheck_(
    context: typer.Context,
    version: Annotated[bool, option("--version", "Print the version.")] = False,
    as_json: Annotated[bool, typer.Option("--json", hidden=True)] = False,
) -> None:
    """Does this answer mean what it should? Offline, deterministic checks of answers."""
    if version and as_json:
        write_json({"version": sensecheck.__version__})
    elif version:
        write_line(f"sensecheck {sensecheck.__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())
    if context.invoked_subcommand is None:
        raise typer.Exit


runs = typer.Typer(invoke_without_command=True)
runs.command("list")(list_runs)
runs.command("show")(show)
runs.command("compare", epilog=codes_of("runs compare"))(compare_runs)
runs.command("trend")(trend)
runs.command("label")(label)
runs.command("agreement")(agreement)
runs.command("encoders")(encoders)
runs.command("weight", epilog=codes_of("runs weight"))(weight)
runs.command("report", epilog=codes_of("runs report"))(report)
runs.command("export")(export)
runs.command("gc")(collect)


@runs.callback()
def _runs(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", hidden=True)] = False
) -> None:
    """Runs of batteries, evaluations and large runs: listed, shown, compared and written to files."""
    if context.invoked_subcommand is None:
        list_runs(context, as_json=as_json)
        if not as_json:
            note('"runs" is now "runs list"', as_json=False)


history = typer.Typer(
    no_args_is_help=True, help="Earlier names of verbs of `sensecheck runs`, for evaluations."
)
history.command("list", cls=EarlierVerb.of("evaluation", "list"))(list_runs)
history.command("show", cls=EarlierVerb.of("evaluation", "show"))(show)
history.command("compare", epilog=codes_of("runs compare"), cls=EarlierVerb.of("evaluation", "compare"))(
    compare_runs
)
history.command("encoders", cls=EarlierVerb.of("evaluation", "encoders"))(encoders)
history.command("trend", cls=EarlierVerb.of("evaluation", "trend"))(trend)
history.command("label", cls=EarlierVerb.of("evaluation", "label"))(label)
history.command("agreement", cls=EarlierVerb.of("evaluation", "agreement"))(agreement)
history.command("weight", epilog=codes_of("runs weight"), cls=EarlierVerb.of("evaluation", "weight"))(weight)
history.command("export", cls=EarlierVerb.of("evaluation", "export"))(export)
history.command("report", cls=EarlierVerb.of("evaluation", "report"))(report)

results = typer.Typer(
    no_args_is_help=True, help="Earlier names of verbs of `sensecheck runs`, for large runs."
)
results.command("summary", cls=EarlierVerb.of("large", "show"))(show)
results.command("compare", epilog=codes_of("runs compare"), cls=EarlierVerb.of("large", "compare"))(
    compare_runs
)
results.command("report", cls=EarlierVerb.of("large", "report"))(report)
results.command("export", cls=EarlierVerb.of("large", "export"))(export)


EVAL_EXAMPLES = (
    "sensecheck eval questions.jsonl --slice topic --html page.html",
    "sensecheck eval 'pairs/*.parquet' --store parquet:results/",
)


def _add(group: str, name: str, verb: Any, about: str, *examples: str) -> None:
    """A verb, or verbs of its own, in a group of the help."""
    if isinstance(verb, typer.Typer):
        app.add_typer(verb, name=name, rich_help_panel=group, short_help=about)
    else:
        codes = codes_of(name, *examples) if name in EXIT_CODES else None
        app.command(name, epilog=codes, rich_help_panel=group, short_help=about)(verb)


_add("Check", "check", check, "Judge an answer, or a file of answers")
_add("Check", "ground", ground, "Find which claims the passages support")
_add("Check", "guard", guard, "Filter retrieved passages before a prompt")
_add("Check", "effects", effects, "Measure what guards did to retrieval")
_add("Check", "explain", explain, "Show where two texts agree and differ")
_add("Check", "embed", embed, "Print the vectors of texts")
_add("Test", "run", run, "Run batteries of tests, and save the results")
_add("Test", "lint", lint, "Find tests that cannot fail, leaks, duplicates")
_add("Test", "runs", runs, "List, show, compare and report runs of all kinds")
_add("Test", "studio", studio, "Look at runs in the browser, and label them")
_add("Evaluate", "eval", eval_, "Score the answers to a set of questions", *EVAL_EXAMPLES)
_add("Calibrate", "calibrate", calibrate, "Fit a cutoff to labelled answers, on a card")
_add("Calibrate", "card", card.app, "List, show or check calibration cards")
_add("Calibrate", "train-head", train_head, "Train a small classifier of answers")
_add("Serve", "serve", serve, "Serve answers and checks over HTTP")
_add("Serve", "worker", worker, "Delete old records of the service every hour")
_add("Serve", "keys", keys.app, "Create, list and revoke keys of the service")
_add("Serve", "mcp", mcp, "Serve checks as tools for models, over MCP")
_add("Manage", "doctor", doctor, "Show what is missing, and how to fix it")
_add("Manage", "model", model.app, "List, download or verify models")
_add("Manage", "cache", cache.app, "Show or clear cached vectors and replies")
_add("Manage", "db", db.app, "Upgrade or check the database")
_add("Manage", "schema", schema, "Print the JSON Schema of files, for editors")


app.command("report", cls=EarlierVerb.of("suite", "report"), hidden=True)(report)
app.command("compare", epilog=codes_of("runs compare"), cls=EarlierVerb.of("suite", "compare"), hidden=True)(
    compare_runs
)
app.add_typer(history, name="history", hidden=True)
app.add_typer(results, name="results", hidden=True)


def _take_earlier_spellings(group: typer.Typer) -> None:
    """Have all commands of a group, and of the groups in it, made as `Verb`s."""
    for command in group.registered_commands:
        if command.cls is None or not issubclass(command.cls, Verb):
            command.cls = Verb
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _take_earlier_spellings(inner.typer_instance)


_take_earlier_spellings(app)


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
