"""What is said where one of two texts holds nothing to compare."""

from collections.abc import Sized


def nothing_to_compare(answer: Sized, expected: Sized) -> str | None:
    """Why two texts share nothing, from their words; None where both have some."""
    if answer and expected:
        return None
    where = "in the expected answer" if answer else "in the answer" if expected else "in either text"
    return f"there is nothing to compare {where}, which counts as 0"
