"""Real encoders and real servers, each made once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sensecheck.encoders.pins import MINILM, packaged
from tests.servers import serving


@pytest.fixture(scope="session")
def model_folder() -> Path:
    """The folder of the default encoder's model."""
    return packaged(MINILM)


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The address of an endpoint for embeddings that misbehaves on request."""
    with serving("embeddings.py") as address:
        yield address
