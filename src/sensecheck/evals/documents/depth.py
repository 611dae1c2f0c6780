"""How deep a document may be nested: a battery never is, and deeper ones would exhaust the stack."""

from typing import Final

from sensecheck.core.errors import BatteryError
from sensecheck.evals.node import Place

DEEPEST: Final = 100


def too_deep(place: Place) -> BatteryError:
    """The error that says where it is too much."""
    return BatteryError(f"{place}: this is nested more than {DEEPEST} levels deep")
