"""Typing a command: in this process, where it is fast, or in one of its own, where it is real."""

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from sensecheck.cli.main import app


def typed(*arguments: str, stdin: str | bytes | None = None, **environment: str) -> Any:
    """What a command does here, with the encoder of unit tests and no cache unless others are named."""
    named = {"SENSECHECK_CACHE": "off", "SENSECHECK_ENCODER": "hashing", **environment}
    logger = logging.getLogger()
    handlers, level = [one for one in logger.handlers if not _is_closed(one)], logger.level
    logger.handlers[:] = handlers
    try:
        return CliRunner(env=named).invoke(app, list(arguments), input=stdin)
    finally:  # `serve` writes its log to a stream that ends with it
        logger.handlers[:] = handlers
        logger.setLevel(level)


def _is_closed(handler: logging.Handler) -> bool:
    """Whether a handler writes to a stream that an earlier test has closed."""
    return bool(getattr(getattr(handler, "stream", None), "closed", False))


def started(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """What a command does in a process of its own, with the real model."""
    command = Path(sys.executable).with_name("sensecheck")
    named = {**os.environ, "SENSECHECK_CACHE": "off", **environment}
    return subprocess.run([command, *arguments], input=stdin, capture_output=True, env=named, timeout=60)
