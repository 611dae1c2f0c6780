"""Turning a missing optional package into the command that installs it."""

from collections.abc import Iterator
from contextlib import contextmanager

from sensecheck.core.errors import MissingExtra


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports inside this block come from the optional extra `name`."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "sensecheck":
            raise
        raise MissingExtra(
            f"`{missing.name}` is not installed; it comes with: pip install 'sensecheck[{name}]'",
            name=missing.name,
        ) from missing
