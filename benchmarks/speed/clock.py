"""Time on the clock, for work of which a server does a part."""

import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """How long some work takes on the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
