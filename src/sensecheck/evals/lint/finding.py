"""Something that somebody should look at."""

from dataclasses import dataclass
from typing import Any

from sensecheck.core.serialization import to_data


@dataclass(frozen=True, slots=True)
class Finding:
    """Where it is, which rule found it, and what it says."""

    place: str
    rule: str
    says: str

    def to_data(self) -> dict[str, Any]:
        """The finding as plain data."""
        return to_data(self)
