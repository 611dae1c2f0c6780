"""JSON, strictly: of two equal keys one would be ignored, so they are an error."""

import json
from typing import Any

from sensecheck.core.errors import SpecError


def read_json(text: str, *, at: str) -> Any:
    """What the text holds; `at` names the place in messages."""
    try:
        return json.loads(text, object_pairs_hook=each_key_once)
    except SpecError as twice:
        raise SpecError(f"in `{at}`: {twice}") from twice
    except ValueError as broken:  # also a number of thousands of digits, which is no JSONDecodeError
        raise SpecError(f"`{at}` is not JSON: {broken}") from broken
    except RecursionError as deep:
        raise SpecError(f"`{at}` is not JSON: it is nested too deeply") from deep


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, each of whose keys stands there once."""
    held = dict(pairs)
    if len(held) < len(pairs):
        keys = [key for key, _ in pairs]
        raise SpecError(f"the key `{next(key for key in keys if keys.count(key) > 1)}` stands there twice")
    return held
