"""A real server for sources, made once."""

from collections.abc import Iterator

import pytest

from tests.servers import serving
from tests.sources.described import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A system under test that misbehaves on request."""
    with serving("answers.py") as address:
        yield Server(address)
