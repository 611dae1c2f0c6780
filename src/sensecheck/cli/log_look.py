"""How the log of a service looks here: for people at a terminal, for machines elsewhere."""

import sys
from typing import TYPE_CHECKING

from sensecheck.cli.paint import Paper

if TYPE_CHECKING:
    from sensecheck.server.log_lines import Look


def log_look() -> "Look":
    """By whether somebody watches, and wants colours."""
    if not sys.stderr.isatty():
        return "json"
    return "plain" if Paper(stderr=True).no_color else "coloured"
