"""`sensecheck db`: the database of evaluations, and of the service."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, print_error, safe, write_json, write_line
from sensecheck.cli.exit_codes import INTERRUPTED, NOT_JUDGED, PASSED, codes_of
from sensecheck.cli.options import Json, option, settings_with
from sensecheck.cli.progress import bar
from sensecheck.cli.store import Database
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.store.migrations.base import OnProgress
    from sensecheck.store.migrations.integrity import IntegrityFinding
    from sensecheck.store.migrations.runner import MigrationResult

# ruff: noqa: PLC0415 - databases are an extra, which `--help` does without

app = typer.Typer(
    no_args_is_help=True,
    help="The database of evaluations, and of the service's keys and messages: upgrade, downgrade, check.",
)


@app.command(epilog=codes_of("db"))
def upgrade(
    store: Database = None,
    to: Annotated[str, option("--to REVISION", "As far as this revision.", default=True)] = "head",
    sql: Annotated[bool, option("--sql", "Print it as SQL, and do nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Make the tables, or bring them up to date; others may go on writing meanwhile.

    For PostgreSQL, name the server itself: a pooler may hand each statement to another connection.
    """
    with extra("store"):
        from sensecheck.store import upgrade as upgrading

    if sql and as_json:
        raise SpecError("`--sql` prints SQL, and `--json` JSON; wanted one of them")
    address = _address(store)
    if sql:
        with _packages_for(address):
            statements = upgrading.upgrade_in_sql(address, to).rstrip()
        write_line(statements or "-- there is nothing to do")
        return
    _migrate(upgrading.upgrade, address, to, as_json=as_json)


@app.command(epilog=codes_of("db"))
def downgrade(
    to: Annotated[str, option("--to REVISION", "Back to this revision.", default=True)],
    store: Database = None,
    yes: Annotated[bool, option("--yes", "Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Bring the tables back to an earlier revision, for an earlier version of sensecheck."""
    with extra("store"):
        from sensecheck.store import upgrade as upgrading

    if not yes:
        _confirm(to, as_json=as_json)
    _migrate(upgrading.downgrade, _address(store), to, as_json=as_json)


@app.command(epilog=codes_of("db"))
def check(store: Database = None, as_json: Json = False) -> None:
    """Check whether the database is as it should be: tables, guards, and what is stored in them."""
    with extra("store"):
        from sensecheck.store.address import database_url, shown
        from sensecheck.store.engine import engine_of
        from sensecheck.store.upgrade import check as check_database

    address, console, findings = _address(store), Console(), list["IntegrityFinding"]()
    with _packages_for(address):
        engine = engine_of(database_url(address))
        results = check_database(engine)
    try:
        for finding in results:
            findings.append(finding)
            if not as_json:
                _show(console, finding)
    finally:
        engine.dispose()
    sound = all(finding.sound for finding in findings)
    if as_json:
        data = [asdict(finding) for finding in findings]
        write_json({"store": shown(engine.url), "sound": sound, "findings": data})
    else:
        verdict = ("sound", "bold green") if sound else ("not sound: fix what is wrong above", "bold red")
        console.line(verdict, f"  {safe(shown(engine.url))}")
    raise typer.Exit(PASSED if sound else NOT_JUDGED)


def _address(store: str | None) -> str:
    return settings_with(None).store if store is None else store


def _packages_for(address: str) -> AbstractContextManager[None]:
    """What reaches this database may not be installed, and is asked for only once it is needed."""
    from sensecheck.store.address import database_url

    is_file = database_url(address).get_backend_name() == "sqlite"
    return extra("store" if is_file else "postgresql")


def _confirm(to: str, *, as_json: bool) -> None:
    if as_json or not sys.stdin.isatty():
        raise SpecError(
            "`db downgrade` asks before it does anything, and no one can be asked here; pass `--yes`"
        )
    try:
        agreed = typer.confirm(f"Back to {to}? This version of sensecheck will not open it then.", err=True)
    except typer.Abort:
        agreed = False
    if not agreed:
        Console(stderr=True).line("nothing was done")
        raise typer.Exit(INTERRUPTED)


def _migrate(work: "Callable[..., MigrationResult]", address: str, to: str, *, as_json: bool) -> None:
    from sensecheck.store.address import store_option

    try:
        with _packages_for(address), _progress(hidden=as_json) as progress:
            result = work(address, to, progress=progress)
    except KeyboardInterrupt:
        command = f"sensecheck db check{store_option(address)}"
        print_error(f"interrupted; `{command}` shows its state", "Interrupted", as_json=as_json)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        write_json(asdict(result))
        return
    at = result.after or "base"
    where = f"at {safe(at)} already" if not result.steps else f"{safe(result.before or 'base')} → {safe(at)}"
    Console().line((where, "bold green"), f"  {safe(result.store)}")


@contextmanager
def _progress(*, hidden: bool) -> "Iterator[OnProgress]":
    """Each thing that is done as a line; on a terminal also a bar that moves while it is done."""
    with bar(hidden=hidden) as progress:
        progress.add_task("", total=None)
        seen = set[str]()

        def show(message: str) -> None:
            if not hidden and message not in seen:
                progress.console.print(safe(message), style="dim", soft_wrap=True)
            seen.add(message)

        yield show


def _show(console: Console, finding: "IntegrityFinding") -> None:
    state = (f"{'ok' if finding.sound else 'wrong':<7}", "green" if finding.sound else "bold red")
    console.line((f"{finding.name:<10}", "bold"), safe(finding.says), label=state)
    if finding.hint:
        console.line(("fix: ", "dim"), (safe(finding.hint), "bold cyan"), indent=7)
