"""`sensecheck serve`, `worker`, `mcp` and `studio`: the service, its housekeeping, tools, pages of runs."""

import errno
import os
import sys
from typing import TYPE_CHECKING, Annotated

from rich.text import Text

from sensecheck.cli.console import Console, log_look, safe, write_line
from sensecheck.cli.options import Encoder, option, settings_with
from sensecheck.cli.store import Database, no_store_yet
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from socket import socket

    from sensecheck.config import Settings
    from sensecheck.server.settings import ServiceSettings

# ruff: noqa: PLC0415 - servers and workers need their own extras, which `--help` does without

_HTTP = "Over HTTP"
_TRY = (
    "curl {url}/query-selected-text{header} --json "
    '\'{{"query": "What is this?", "selected_text": "ROS 2 is a robotics middleware."}}\''
)


def serve(
    host: Annotated[str, option("--host ADDRESS", "Listen there.", default=True)] = "127.0.0.1",
    port: Annotated[int, option("--port N", "0 takes a free one.", default=True, min=0, max=65535)] = 8000,
    store: Database = None,
    writer: Annotated[
        str | None,
        option(
            "--writer NAME",
            "Who writes answers, instead of SENSECHECK_SERVE_WRITER: extractive (sentences of the passage, "
            "no language model), openai:URL#MODEL, recorded:FILE.",
        ),
    ] = None,
    engines: Annotated[
        int | None, option("--engines N", "Processes that judge; 0 for one less than cores.", min=0)
    ] = None,
    encoder: Encoder = None,
) -> None:
    """Serve answers that come from a passage, and checks of answers, over HTTP.

    On this machine alone it needs no key; others need one of `sensecheck keys create`.
    """
    # What is wrong with a setting is said before anything is imported or loaded that takes long.
    settings, service = _settings_of(store, encoder, writer, engines)
    with _listening_at(host, port) as listening:
        with extra("server"):
            from sensecheck.server.caller import Proxies
            from sensecheck.server.logging import log, write_logs
            from sensecheck.server.pepper import pepper_for
        Proxies.read(service.proxies)
        pepper_for(settings.store, service)
        write_logs(look=log_look())
        log().info("loading models")
        with extra("server"):
            from sensecheck.server.serve import serve as serve_here
        serve_here(settings, service, listening, lambda url, key: _show_address(url, key, settings, service))
    # Everything is stored by now; to take the models apart piece by piece would take seconds.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def worker(
    store: Database = None,
    once: Annotated[bool, option("--once", "Do what is to be done now, and end.")] = False,
) -> None:
    """Drop what is too old and count up days, every hour, for services that leave it to a worker.

    Those have SENSECHECK_SERVE_HOUSEKEEPING=off. Any number of workers may run; each hour is done by one
    of them. It needs PostgreSQL.
    """
    import asyncio

    with extra("server"):
        from sensecheck.server.logging import write_logs
        from sensecheck.server.maintenance import Housekeeping
        from sensecheck.server.settings import ServiceSettings
        from sensecheck.store.service.store import ServiceStore
    with extra("worker"):
        from sensecheck.server.maintenance_worker import run_worker, worker_app
    from sensecheck.config import variables

    service = ServiceSettings.from_variables(variables())
    address = settings_with(None).store if store is None else store
    write_logs(look=log_look())
    service_store = ServiceStore.open(address)
    try:
        housekeeping = Housekeeping(service_store, service.retention_days, service.candidate_days)
        app = worker_app(address, housekeeping)
        message = "tidying once" if once else "tidying now, and every hour"
        asyncio.run(run_worker(app, lambda: Console(stderr=True).line(message), wait=not once))
    finally:
        service_store.close()


def mcp(
    http: Annotated[bool, option("--http", "Answer over HTTP, not standard input and output.")] = False,
    host: Annotated[str, option("--host ADDRESS", "Listen there.", _HTTP, default=True)] = "127.0.0.1",
    port: Annotated[
        int, option("--port N", "0 takes a free one.", _HTTP, default=True, min=0, max=65535)
    ] = 8765,
    allowed_host: Annotated[
        list[str] | None,
        option(
            "--allowed-host NAME", "Answer requests for this name too; may be given more than once.", _HTTP
        ),
    ] = None,
    allow_any_host: Annotated[
        bool,
        option(
            "--allow-any-host", "Answer requests for any name: only behind a proxy that looks at it.", _HTTP
        ),
    ] = False,
    encoder: Encoder = None,
) -> None:
    """Serve our checks as tools for models, over the Model Context Protocol."""
    from sensecheck.mcp.tool import SharedToolContext, ToolContext

    settings = settings_with(encoder)
    with extra("mcp"):
        from sensecheck.mcp.server import server_of
        from sensecheck.mcp.transports import Address, serve_http, serve_stdio
    server = server_of(SharedToolContext(lambda: ToolContext.of(settings)))
    if http:
        address = Address(host, port, tuple(allowed_host or ()), allow_any_host)
        serve_http(server, address, lambda url: Console(stderr=True).line(f"serving tools at {url}"))
    else:
        serve_stdio(server)


def studio(
    store: Annotated[
        list[str] | None,
        option(
            "--store ADDRESS",
            "Show the runs of this place too: a database, folder:PATH, parquet:ADDRESS, suites:PATH. Repeat "
            "for more.",
        ),
    ] = None,
    port: Annotated[int, option("--port N", "0 takes a free one.", default=True, min=0, max=65535)] = 8700,
    open_browser: Annotated[
        bool, option("--open/--no-open", "Open the page in the browser.", default=True)
    ] = True,
) -> None:
    """Show runs as pages: list, look through, compare, label and calibrate, on this machine alone.

    The link that is printed holds a token; without it nothing is shown.
    """
    from pathlib import Path

    with extra("server"):
        from sensecheck.studio.app import serve_studio

    settings, places = settings_with(None), list(store or ())
    if settings.runs_folder().is_dir():
        places.insert(0, f"suites:{settings.runs_folder()}")
    if not no_store_yet():
        places.append(settings.store)
    with _listening_at("127.0.0.1", port) as listening:
        serve_studio(
            list(dict.fromkeys(places)),
            listening,
            lambda link: _show_link(link, open_browser=open_browser),
            cache=settings.runs_folder().parent / "studio.sqlite3",
            folder=Path.cwd(),
            cards=settings.cards_folder(),
        )


def _listening_at(host: str, port: int) -> "socket":
    """A socket that listens there; a port that another process has is reported with what to do."""
    from sensecheck.io.sockets import listening_at

    try:
        return listening_at(host, port)
    except SpecError as refused:
        if getattr(refused.__cause__, "errno", None) != errno.EADDRINUSE:
            raise
        raise SpecError(
            f"port {port} is in use; stop the other process, or choose another with `--port`"
        ) from None


def _show_link(link: str, *, open_browser: bool) -> None:
    """The link alone on standard output; a terminal also opens the page."""
    import webbrowser

    write_line(link)
    sys.stdout.flush()
    if open_browser and sys.stdout.isatty():
        webbrowser.open(link)


def _settings_of(
    store: str | None, encoder: str | None, writer: str | None, engines: int | None
) -> "tuple[Settings, ServiceSettings]":
    from dataclasses import replace

    from sensecheck.config import variables
    from sensecheck.server.settings import ServiceSettings

    settings = settings_with(encoder)
    service = ServiceSettings.from_variables(variables())
    return (
        settings if store is None else replace(settings, store=store),
        replace(
            service,
            writer=service.writer if writer is None else writer,
            engines=service.engines if engines is None else engines,
        ),
    )


def _show_address(url: str, needs_key: bool, settings: "Settings", service: "ServiceSettings") -> None:
    """The address for programs, and the rest for people: a log that machines read is not mixed with it."""
    from sensecheck.server.routes.operations import script
    from sensecheck.store.address import database_url, shown, store_option

    write_line(url)
    sys.stdout.flush()
    if not sys.stderr.isatty():
        return
    console, database = Console(stderr=True), safe(shown(database_url(settings.store)))
    console.line(f"serving, with answers by {safe(service.writer.partition(':')[0])}, stored in {database}")
    if needs_key:
        create = f"sensecheck keys create{safe(store_option(settings.store))}"
        console.line(f"requests need a key: `{create}` makes one")
    header = ' -H "Authorization: Bearer KEY"' if needs_key else ""
    local_url = url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:")
    # Never broken over two lines: it is there to be copied.
    tag = script().tag(local_url, "pk_…" if needs_key else None)
    for line in ("try  " + _TRY.format(url=local_url, header=header), "page " + tag):
        console.print(Text(line, style="dim"), soft_wrap=True)
