"""The real server in a process of its own, and how the official client reaches it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sensecheck.mcp.client import real_standard_error

if TYPE_CHECKING:
    from mcp.client import Transport

COMMAND = [sys.executable, "-c", "from sensecheck.cli.main import main; main()", "mcp"]
ALONE = {"SENSECHECK_CACHE": "off"}
"""Settings that keep a test to itself."""


def environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("SENSECHECK_")}
    return own | ALONE


def over_stdio(*options: str) -> "Transport":
    from mcp import StdioServerParameters, stdio_client

    server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *options], env=environment())
    return stdio_client(server, errlog=real_standard_error())


@contextmanager
def over_http(*options: str) -> Iterator[str]:
    """The address of a server, which ends with this block."""
    process = subprocess.Popen(
        [*COMMAND, "--http", "--port", "0", *options], stderr=subprocess.PIPE, text=True, env=environment()
    )
    with process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().rpartition(" ")[2].strip()
        finally:
            process.terminate()
            process.wait(timeout=20)
