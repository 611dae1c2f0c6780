"""What is to be read off every row of a table: plain data, the same on every machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from sensecheck.core.serialization import from_data, to_data


@dataclass(frozen=True, slots=True)
class TableOrder:
    """Metrics and checks, and which columns hold what they read."""

    metrics: tuple[str, ...] = ()
    """Names of metrics, as `sensecheck eval --metric` takes them."""
    checks: tuple[Mapping[str, Any], ...] = ()
    """Checks as data, with all their lines written out: no card is looked up by a worker."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """The column of each part that a row has: `{"answer": "response", "expected": "gold"}`."""
    at_once: int = 1024
    """Rows whose texts are placed together; vectors move in the seventh digit with their neighbours, so that
    it belongs to the order."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The order that `to_data` described; unknown keys are errors."""
        return from_data(cls, data, at="order")
