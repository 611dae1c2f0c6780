"""Many differences tested at once: one of them looks large by chance alone."""

from collections.abc import Sequence


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Each p as it counts among all of them (Holm): below alpha, it may be claimed beside the others.

    The chance that any of the claims is false stays below alpha. Where nothing was tested there is None.
    """
    tested = sorted((p, at) for at, p in enumerate(chances) if p is not None)
    adjusted: list[float | None] = [None] * len(chances)
    largest = 0.0
    for rank, (p, at) in enumerate(tested):
        largest = max(largest, min(1.0, p * (len(tested) - rank)))
        adjusted[at] = largest
    return adjusted
