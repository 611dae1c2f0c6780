"""How many examples a property gets, where it asks for another number than the profile's."""

from hypothesis import settings

_FEW = 15


def examples(count: int) -> int:
    """As many as named in `just check-full`; in `just check` no more than other properties get."""
    return count if settings().max_examples > _FEW else min(count, _FEW)
