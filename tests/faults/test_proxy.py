"""The proxy does what its faults say, to connections that are open as well as to new ones."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from time import monotonic, sleep

import pytest

from tests.faults.kinds import (
    BLACKHOLE,
    PASS,
    REFUSE,
    RESET,
    Fault,
    Way,
    blackhole,
    cut,
    latency,
    slow,
    stall,
)
from tests.faults.proxy import FaultProxy, fault_proxy


@pytest.fixture
def proxy() -> Iterator[FaultProxy]:
    """In front of a server that says everything again."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        threading.Thread(target=_accept, args=(server,), daemon=True).start()
        with fault_proxy(server.getsockname()) as made:
            yield made


def _accept(server: socket.socket) -> None:
    with suppress(OSError):
        while True:
            client, _ = server.accept()
            threading.Thread(target=_echo, args=(client,), daemon=True).start()


def _echo(client: socket.socket) -> None:
    with client, suppress(OSError):
        while some := client.recv(65_536):
            client.sendall(some)


def connected(proxy: FaultProxy) -> socket.socket:
    return socket.create_connection(("127.0.0.1", proxy.port), timeout=10)


def said_again(wire: socket.socket, said: bytes) -> bytes:
    wire.sendall(said)
    heard = b""
    while len(heard) < len(said) and (some := wire.recv(65_536)):
        heard += some
    return heard


def test_everything_passes_and_is_counted(proxy: FaultProxy) -> None:
    with connected(proxy) as wire:
        assert said_again(wire, b"x" * 300_000) == b"x" * 300_000
        assert proxy.open == 1
        wire.shutdown(socket.SHUT_WR)
        assert wire.recv(1) == b""

    assert proxy.accepted == 1
    assert proxy.passed == {"to_server": 300_000, "to_client": 300_000}


@pytest.mark.parametrize("fault", [RESET, REFUSE], ids=lambda fault: fault.kind)
def test_an_open_connection_is_reset(proxy: FaultProxy, fault: Fault) -> None:
    with connected(proxy) as wire:
        said_again(wire, b"hello")
        proxy.now(fault)
        with pytest.raises(ConnectionResetError):
            wire.recv(1)


def test_a_new_connection_is_reset(proxy: FaultProxy) -> None:
    proxy.now(RESET)
    with pytest.raises(ConnectionResetError), connected(proxy) as wire:  # at once, or a little later
        wire.recv(1)


def test_nobody_listens_until_the_fault_is_over(proxy: FaultProxy) -> None:
    proxy.now(REFUSE)
    with pytest.raises(ConnectionRefusedError):
        connected(proxy)
    proxy.now(PASS)
    with connected(proxy) as wire:
        assert said_again(wire, b"hello") == b"hello"


def test_latency_is_paid_each_way(proxy: FaultProxy) -> None:
    with connected(proxy) as wire:
        proxy.now(latency(150))
        began = monotonic()
        assert said_again(wire, b"hello") == b"hello"
        assert 0.3 <= monotonic() - began < 10


@pytest.mark.parametrize("way", ["to_server", "to_client"])
def test_a_wire_is_cut_after_so_many_bytes(proxy: FaultProxy, way: Way) -> None:
    with connected(proxy) as wire:
        said_again(wire, b"before")
        proxy.now(cut(3, way))
        before = proxy.passed[way]
        with pytest.raises(ConnectionResetError):
            said_again(wire, b"hello")
        assert proxy.passed[way] - before == 3


def test_a_slow_wire_lets_so_many_bytes_through_in_a_second(proxy: FaultProxy) -> None:
    with connected(proxy) as wire:
        proxy.now(slow(1000, "to_client"))
        began = monotonic()
        assert said_again(wire, b"x" * 500) == b"x" * 500
        assert 0.4 <= monotonic() - began < 10


@pytest.mark.parametrize("fault", [BLACKHOLE, blackhole("to_client")], ids=["both ways", "one way"])
def test_what_falls_into_the_hole_is_lost_for_good(proxy: FaultProxy, fault: Fault) -> None:
    with connected(proxy) as wire:
        said_again(wire, b"hello")
        proxy.now(fault)
        wire.settimeout(0.3)
        with pytest.raises(TimeoutError):
            said_again(wire, b"lost")
        proxy.now(PASS)
        wire.settimeout(10)
        with pytest.raises(ConnectionResetError):
            wire.recv(1)


def test_a_connection_into_the_hole_is_made_and_never_answered(proxy: FaultProxy) -> None:
    proxy.now(BLACKHOLE)
    with connected(proxy) as wire:
        wire.settimeout(0.3)
        with pytest.raises(TimeoutError):
            said_again(wire, b"hello")


def test_what_was_held_goes_on_afterwards_even_if_the_client_has_left(proxy: FaultProxy) -> None:
    with connected(proxy) as wire:
        said_again(wire, b"hello")
        proxy.now(stall())
        wire.sendall(b"late")
    sleep(0.1)
    assert proxy.passed["to_server"] == 5
    proxy.now(PASS)
    until = monotonic() + 2
    while proxy.passed["to_server"] < 9 and monotonic() < until:
        sleep(0.01)
    assert proxy.passed["to_server"] == 9
