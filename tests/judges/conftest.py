"""Real servers for judges, each made once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.judges.asked import REPLIES, Server
from tests.servers import serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that replays judgements, and misbehaves on request."""
    path: Path = tmp_path_factory.mktemp("judgements") / "replies.json"
    path.write_text(json.dumps(REPLIES))
    with serving("judge.py", str(path)) as address:
        yield Server(address)
