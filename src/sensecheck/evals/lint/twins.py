"""Tests that ask the same of the same."""

from collections.abc import Mapping
from hashlib import sha256
from json import dumps

from sensecheck.evals.lint.finding import Finding
from sensecheck.evals.node import FREE, Node

_NAMES = ("description", "metadata")
"""What a test is called, and not what it asks."""


class Twins:
    """Remembers the tests that it has seen, as they are written."""

    def __init__(self) -> None:
        self._met: dict[bytes, str] = {}

    def see(self, test: Node) -> Finding | None:
        """What is to be said of a test that was seen before."""
        place, digest = str(test.place), _digest(test)
        if digest not in self._met:
            self._met[digest] = place
            return None
        return Finding(place, "duplicate-test", f"the test at {self._met[digest]} asks the same")


def _digest(test: Node) -> bytes:
    held = test.held if isinstance(test.held, Mapping) else {}
    asked = {
        key: node.plain() for key, node in held.items() if key not in _NAMES and not key.startswith(FREE)
    }
    return sha256(dumps(asked, sort_keys=True).encode()).digest()[:12]
