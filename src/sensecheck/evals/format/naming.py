"""Keys of tests: the same from run to run, as long as a test asks the same."""

import hashlib
import json
from typing import Any

from sensecheck.evals.battery import BatteryTest

_DIGITS = 12


class KeyBook:
    """Gives each test of a battery its key; a test that stands there again is told apart by a number."""

    def __init__(self) -> None:
        self._met: dict[int, int] = {}

    def key(self, test: BatteryTest) -> str:
        """The key of the next test."""
        written = json.dumps(_named(test), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        digest = hashlib.sha256(written.encode()).hexdigest()[:_DIGITS]
        count = self._met.get(int(digest, 16), 0) + 1
        self._met[int(digest, 16)] = count
        return digest if count == 1 else f"{digest}~{count}"


def _named(test: BatteryTest) -> list[Any]:
    """What a test is known by; one without a name and without variables, by what it asks of which answer."""
    if test.description or test.vars:
        return [test.description, dict(test.vars)]
    return [test.recorded, test.types, [part.wanted for part in test.check.parts]]
