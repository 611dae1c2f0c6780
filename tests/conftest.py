"""Real parts for all tests: the model, loaded once, and a real server."""

import os
import secrets
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, settings

import sensecheck.encoders.runtime  # noqa: F401  # first of all: ONNX Runtime without its reports
from sensecheck.core.encoder import Answerers, Encoder, Placement
from sensecheck.core.loading import load_encoder
from sensecheck.encoders.around import Around
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.sense import Sense
from tests.servers import serving

# How long an example takes says more about the machine's neighbours than about the code.
settings.register_profile(
    "house", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("house"), max_examples=1000)
settings.load_profile("house")
# Ray would write a token into the home folder of whoever runs the tests, and remembers the first one it saw.
os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}


@pytest.hookimpl(optionalhook=True)  # not everybody has pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores, since tests wait too; each imports all of them, which takes a minute."""
    return 1 + (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What may take longest begins first, so that at the end no worker is left alone with it."""
    items.sort(key=lambda item: -max((mark.args[0] for mark in item.iter_markers("timeout")), default=0))


@pytest.fixture(scope="session")
def minilm() -> Encoder:
    """The real model, without a cache."""
    return load_encoder("minilm")


@pytest.fixture(scope="session")
def sense(minilm: Encoder) -> Sense:
    """The friendly face on the real model."""
    return Sense(Answerers(minilm))


@pytest.fixture(scope="session")
def llama() -> Iterator[str]:
    """The address of a real llama.cpp server."""
    with serving("llama.py") as address:
        yield address


class Counting(Around):
    """An encoder that counts every text it is asked to place."""

    def __init__(self, inner: Encoder | None = None) -> None:
        super().__init__(inner or HashingEncoder())
        self.asked: list[str] = []

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        self.asked += texts
        return self._inner.place(texts, tokens=tokens)
