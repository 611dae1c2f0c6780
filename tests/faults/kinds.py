"""What can go wrong with a wire."""

from dataclasses import dataclass
from typing import Literal

Way = Literal["to_server", "to_client"]
WAYS: tuple[Way, ...] = ("to_server", "to_client")


@dataclass(frozen=True, slots=True)
class Fault:
    """How the wire behaves, from the moment that it is set on."""

    kind: Literal["pass", "latency", "reset", "cut", "slow", "stall", "blackhole", "refuse"]
    amount: float = 0
    """Of `latency`: seconds; of `cut`: bytes; of `slow`: bytes a second."""
    ways: tuple[Way, ...] = WAYS
    """Only what goes these ways is hit."""


PASS = Fault("pass")
RESET = Fault("reset")
"""Connections that are open, and each new one, end with RST."""
STALL = Fault("stall")
"""Everything is held; once the fault is over, it goes on where it stopped."""
BLACKHOLE = Fault("blackhole")
"""Everything is taken, and nothing arrives; once the fault is over, connections that lost bytes are reset."""
REFUSE = Fault("refuse")
"""Nobody listens, as if the server were down; open connections end with RST."""


def latency(milliseconds: float, *ways: Way) -> Fault:
    """Everything comes this much later."""
    return Fault("latency", milliseconds / 1000, ways or WAYS)


def cut(after: int, *ways: Way) -> Fault:
    """Each connection ends with RST once so many more bytes went over it one way."""
    return Fault("cut", after, ways or WAYS)


def slow(bytes_a_second: float, *ways: Way) -> Fault:
    """So many bytes go through in a second, one way."""
    return Fault("slow", bytes_a_second, ways or WAYS)


def stall(*ways: Way) -> Fault:
    """Everything that goes these ways is held, until the fault is over."""
    return Fault("stall", 0, ways or WAYS)


def blackhole(*ways: Way) -> Fault:
    """Everything that goes these ways is lost."""
    return Fault("blackhole", 0, ways or WAYS)
