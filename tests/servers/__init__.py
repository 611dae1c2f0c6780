"""Servers for tests, each in a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(script: str, *arguments: str) -> Iterator[str]:
    """The address of a server, which ends with this block."""
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / script), *arguments],
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
