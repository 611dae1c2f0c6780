"""CPU time of contestants that take turns in one process."""

import time
from collections.abc import Callable, Mapping


def cpu(work: Callable[[], object]) -> float:
    """The CPU seconds that some work takes, on all threads."""
    start = time.process_time()
    work()
    return time.process_time() - start


def race(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """CPU seconds by contestant and round; each round begins with another one, so that nobody is favoured."""
    spent: dict[str, list[float]] = {name: [] for name in contestants}
    names = list(contestants)
    for turn in range(rounds):
        for step in range(len(names)):
            name = names[(turn + step) % len(names)]
            spent[name].append(cpu(contestants[name]))
    return spent


def paired(over: list[float], under: list[float]) -> list[float]:
    """Round by round, the one divided by the other."""
    return [a / b for a, b in zip(over, under, strict=True)]
