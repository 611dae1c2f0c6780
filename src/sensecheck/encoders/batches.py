"""Putting texts of like length together: on a CPU, speed is lost in padding."""

from collections.abc import Iterator, Sequence

TOKENS_AT_ONCE = 4096
"""How many tokens one pass through the model takes; more gains nothing on a CPU and costs memory."""


def by_length(lengths: Sequence[int], *, tokens_at_once: int = TOKENS_AT_ONCE) -> Iterator[list[int]]:
    """Indices in batches, longest first, with little padding in each."""
    batch: list[int] = []
    longest = 0
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        longest = longest or lengths[index]
        full = (len(batch) + 1) * longest > tokens_at_once
        ragged = lengths[index] < 0.9 * longest - 2
        if batch and (full or ragged):
            yield batch
            batch, longest = [], lengths[index]
        batch.append(index)
    if batch:
        yield batch
