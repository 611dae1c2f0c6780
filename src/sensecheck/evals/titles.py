"""What people call a test, in one short line."""

import json
from collections.abc import Mapping
from typing import Any

from sensecheck.evals.result import Result
from sensecheck.text.escaping import cut

LONGEST = 120


def title(result: Result) -> str:
    """The test's description; without one, its variables; without these, its number."""
    words = result.description or _in_words(result.vars) or f"test {result.test}"
    return cut(" ".join(words.split()) or f"test {result.test}", LONGEST)


def as_text(value: Any) -> str:
    """A variable's value in one cell: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _in_words(variables: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={cut(as_text(value), LONGEST)}" for name, value in variables.items())
