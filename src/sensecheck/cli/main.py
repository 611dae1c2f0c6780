"""The command `sensecheck`: one verb a file."""

import sys
from io import TextIOWrapper
from types import TracebackType
from typing import Annotated

import typer

import sensecheck
from sensecheck.cli import (
    cache,
    calibrate,
    card,
    check,
    compare,
    db,
    doctor,
    effects,
    embed,
    eval_,
    explain,
    ground,
    guard,
    history,
    keys,
    lint,
    mcp,
    model,
    report,
    results,
    run,
    runs,
    schema,
    serve,
    train_head,
    worker,
)
from sensecheck.cli.door import Door
from sensecheck.cli.outcomes import IN_WORDS, IN_WORDS_OF_CALIBRATE, IN_WORDS_OF_RUN, NOT_JUDGED, TOO_FEW
from sensecheck.cli.output import write_json, write_line

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


app.command("check", epilog=IN_WORDS)(check.check)
app.command("ground", epilog=IN_WORDS)(ground.ground)
app.command("guard", epilog=guard.EXIT_CODES)(guard.guard)
app.command("effects", epilog=effects.EXIT_CODES)(effects.effects)
app.command("run", epilog=IN_WORDS_OF_RUN)(run.run)
app.command("runs")(runs.runs)
app.command("lint", epilog=lint.EXIT_CODES)(lint.lint)
app.command("compare", epilog=compare.EXIT_CODES)(compare.compare)
app.command("report")(report.report)
app.command("eval", epilog=eval_.EXIT_CODES)(eval_.eval_)
app.add_typer(history.app, name="history")
app.add_typer(results.app, name="results")
app.add_typer(db.app, name="db")
app.command("explain")(explain.explain)
app.command("embed")(embed.embed)
app.command("calibrate", epilog=IN_WORDS_OF_CALIBRATE)(calibrate.calibrate)
app.add_typer(card.app, name="card")
app.command("train-head", epilog=train_head.EXIT_CODES)(train_head.train_head)
app.add_typer(model.app, name="model")
app.add_typer(cache.app, name="cache")
app.command("serve", epilog=serve.EXIT_CODES)(serve.serve)
app.add_typer(keys.app, name="keys")
app.command("worker")(worker.worker)
app.command("mcp")(mcp.mcp)
app.command("doctor")(doctor.doctor)
app.command("schema")(schema.schema)


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
