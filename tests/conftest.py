"""Real parts for all tests: the model, loaded once, and a real server."""

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
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


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
