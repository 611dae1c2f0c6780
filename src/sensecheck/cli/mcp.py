"""`sensecheck mcp`: our checks as tools for models."""

from typing import Annotated

import typer

from sensecheck.cli.options import Encoder, settings_with
from sensecheck.cli.paint import Paper

# ruff: noqa: PLC0415 - the server needs its own extra, which `--help` does without

_HTTP = "Over HTTP"


def mcp(
    http: Annotated[
        bool, typer.Option("--http", metavar="", help="Answer over HTTP, not standard input and output.")
    ] = False,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Listen there.", rich_help_panel=_HTTP)
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", help="0 takes a free one.", min=0, max=65535, rich_help_panel=_HTTP)
    ] = 8765,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Answer requests for this name too; may be given more than once.",
            rich_help_panel=_HTTP,
            show_default=False,
        ),
    ] = None,
    allow_any_host: Annotated[
        bool,
        typer.Option(
            "--allow-any-host",
            metavar="",
            help="Answer requests for any name: only behind a proxy that looks at it.",
            rich_help_panel=_HTTP,
        ),
    ] = False,
    encoder: Encoder = None,
) -> None:
    """Serve our checks as tools for models, over the Model Context Protocol."""
    from sensecheck.core.extras import extra
    from sensecheck.mcp.desk import Desk, OneDesk

    settings = settings_with(encoder)
    with extra("mcp"):
        from sensecheck.mcp.http import Address, serve_http
        from sensecheck.mcp.server import server_of
        from sensecheck.mcp.stdio import serve_stdio
    server = server_of(OneDesk(lambda: Desk.of(settings)))
    if http:
        address = Address(host, port, tuple(allowed_host or ()), allow_any_host)
        serve_http(server, address, lambda url: Paper(stderr=True).say(f"serving tools at {url}"))
    else:
        serve_stdio(server)
