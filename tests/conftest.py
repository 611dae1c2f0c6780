"""Real parts for all tests: the model, loaded once, and a real server."""

import gc
import os
import secrets
from collections.abc import Generator, Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sensecheck.encoders.runtime  # noqa: F401  # first of all: ONNX Runtime without its reports
from sensecheck.core.backends import Backends, Embedding, Encoder
from sensecheck.core.loading import load_encoder, load_verifier
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.wrappers import EncoderWrapper
from sensecheck.sense import Sense
from tests.markers import EXAMPLES, Stopwatch, begin, end, kinds_of
from tests.servers import serving

# How long an example takes says more about the machine's neighbours than about the code.
settings.register_profile(
    "check", deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("full", settings.get_profile("check"), max_examples=500)
settings.register_profile("thorough", settings.get_profile("check"), max_examples=1000)
settings.load_profile("check")
# Ray would write a token into the home folder of whoever runs the tests, and remembers the first one it saw.
os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}


@pytest.hookimpl(optionalhook=True)  # not everybody has pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """One a core: each imports all tests, which takes longer than what a third could do meanwhile."""
    return max(2, os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses among them
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they use. What may take longest begins first: no worker ends up alone with it."""
    for item in items:
        for kind in set(kinds_of(item)):
            item.add_marker(kind)
    items.sort(key=lambda item: -max((mark.args[0] for mark in item.iter_markers("timeout")), default=0))


def pytest_collection_finish() -> None:
    """What all tests share is paid before the first of them, which would otherwise seem to take long.

    Hypothesis makes its tables of characters when they are first wanted, for seconds on a fresh clone.
    What was imported stays: the collector need not look through it again and again.
    """
    _draw()
    gc.collect()
    gc.freeze()


@settings(max_examples=1, database=None)
@given(st.text())
def _draw(_: str) -> None:
    """A single text, so that every table is there."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Know which test runs, so that what it starts can ask for its markers."""
    begin(item)
    try:
        return (yield)
    finally:
        end()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test that takes more than two seconds carries a marker, or fails."""
    watch = Stopwatch()
    done = yield
    watch.require_short(item)
    return done


@pytest.fixture(scope="session")
def minilm() -> Encoder:
    """The real model, without a cache."""
    return load_encoder("minilm")


@pytest.fixture(scope="session")
def sense(minilm: Encoder) -> Sense:
    """The friendly face on the real encoder and the real reader, which is loaded when it is first asked."""
    return Sense(Backends(minilm, pairs=load_verifier("mpnet")))


@pytest.fixture(scope="session")
def llama() -> Iterator[str]:
    """The address of a real llama.cpp server."""
    with serving("llama.py") as address:
        yield address


class Counting(EncoderWrapper):
    """An encoder that counts every text it is asked to place."""

    def __init__(self, inner: Encoder | None = None) -> None:
        super().__init__(inner or HashingEncoder())
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        self.asked += texts
        return self._inner.encode(texts, tokens=tokens)
