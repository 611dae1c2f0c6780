"""CPU time as a machine of usual speed counts it: machines are shared, and some are several times slower."""

import time

_USUAL = 0.05
"""Seconds that such a machine takes for a million steps."""


def usual_seconds(begun: float) -> float:
    """What this thread has spent since `begun`, by `time.thread_time()`, at the usual speed."""
    return (time.thread_time() - begun) / slower_than_usual()


def slower_than_usual() -> float:
    """How many times slower this machine is right now; 1 if it is no slower."""
    begun, steps = time.thread_time(), 0
    while steps < 1_000_000:
        steps += 1
    return max(1.0, (time.thread_time() - begun) / _USUAL)
