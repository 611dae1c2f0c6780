"""CPU time as a machine of usual speed counts it: machines are shared, and some are several times slower."""

import time

_USUAL = 0.05
"""Seconds that such a machine takes for a million steps."""


def usual_seconds(begun: float) -> float:
    """What this thread has spent since `begun`, by `time.thread_time()`, at the usual speed."""
    ended = time.thread_time()
    steps = 0
    while steps < 1_000_000:
        steps += 1
    slower = (time.thread_time() - ended) / _USUAL
    return (ended - begun) / max(1.0, slower)
