"""How much one call may bring along."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sensecheck.core.errors import SampleError

TEXT_CHARS = 200_000
"""The longest text."""
CALL_CHARS = 1_000_000
"""All texts of one call together."""
LISTED = 100
"""The longest list: of passages, of clusters, of a cluster's exemplars."""
DEPTH = 12
"""How deep data may be nested."""
BODY_BYTES = 16_000_000
"""The largest request over HTTP; a call with as many characters as it may have stays below it."""

_HALF_A_PAIR = re.compile("[\ud800-\udfff]")


def must_fit(arguments: Mapping[str, Any]) -> None:
    """Raise unless the arguments of a call are within the limits, and every text can be written."""
    total = sum(_size(text, at) for at, text in _texts(arguments, "", 0))
    if total > CALL_CHARS:
        raise SampleError(f"the call has {total} characters; at most {CALL_CHARS} are taken at once")


def _texts(given: Any, at: str, depth: int) -> Iterator[tuple[str, str]]:
    """Every text in the arguments, keys included, with its place."""
    if depth > DEPTH:
        raise SampleError(f"`{at[:80]}` is nested too deeply; at most {DEPTH} levels are taken")
    if isinstance(given, str):
        yield at, given
    elif isinstance(given, Mapping):
        _must_be_short(given, at)
        for key, item in given.items():
            yield f"a key of `{at}`" if at else "a key", key
            yield from _texts(item, f"{at}.{key[:80]}" if at else key[:80], depth + 1)
    elif isinstance(given, list | tuple):
        _must_be_short(given, at)
        for index, item in enumerate(given):
            yield from _texts(item, f"{at}[{index}]", depth + 1)


def _must_be_short(several: Mapping[str, Any] | list[Any] | tuple[Any, ...], at: str) -> None:
    if len(several) > LISTED:
        raise SampleError(f"`{at}` has {len(several)} entries; at most {LISTED} are taken")


def _size(text: str, at: str) -> int:
    if len(text) > TEXT_CHARS:
        raise SampleError(f"`{at}` has {len(text)} characters; at most {TEXT_CHARS} are taken")
    broken = None if text.isascii() else _HALF_A_PAIR.search(text)
    if broken:
        raise SampleError(f"`{at}` holds half a surrogate pair at character {broken.start()}")
    return len(text)
