"""Servers for tests, each in a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(script: str, *arguments: str) -> Iterator[str]:
    """The address of a server, which ends with this block."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"tests.servers.{Path(script).stem}", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield next(line.strip() for line in iter(process.stdout.readline, "") if line.startswith("http"))
        finally:
            process.stdin.close()
            process.wait(timeout=20)
