"""JSON, strictly: two equal keys, of which one would be ignored, are an error; so is what is no number."""

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

from sensecheck.core.errors import SpecError


def read_json(
    text: str, *, at: str, whole: Callable[[str], Any] = int, decimal: Callable[[str], Any] | None = None
) -> Any:
    """What the text holds; `at` names the place in messages, `whole` and `decimal` read its numbers."""
    try:
        return json.loads(
            text,
            object_pairs_hook=each_key_once,
            parse_constant=no_number,
            parse_int=whole,
            parse_float=decimal or finite,
        )
    except SpecError as wrong:
        raise SpecError(f"in `{at}`: {wrong}") from wrong
    except ValueError as broken:  # also a number of thousands of digits, which is no JSONDecodeError
        raise SpecError(f"`{at}` is not JSON: {broken}") from broken
    except RecursionError as deep:
        raise SpecError(f"`{at}` is not JSON: it is nested too deeply") from deep


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, each of whose keys stands there once."""
    held: dict[str, Any] = {}
    for key, item in pairs:
        if key in held:
            raise SpecError(f"the key `{key}` stands there twice")
        held[key] = item
    return held


def finite(word: str) -> float:
    """The number; `1e999`, which no float can hold, is none."""
    number = float(word)
    return number if math.isfinite(number) else no_number(word)


def no_number(word: str) -> NoReturn:
    """Refuse `NaN` and `Infinity`, which Python would read though JSON has none."""
    raise SpecError(f"`{word}` is no number of JSON; wanted a finite one")
