"""Which values may be keys: they are never told, and another key makes no other source."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sensecheck.io.redaction import quotes

SHORTEST = 8
"""Characters of a key; what is shorter is a number or a switch whose name merely sounds like one."""
_KEY = re.compile(r"(?:TOKEN|(?:KEY|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?)(?:_|$)", re.IGNORECASE)
_OF_ENVIRONMENT = re.compile(r"\benv\b\W+(\w+)")


def texts_in(data: Any) -> Iterator[str]:
    """All texts in plain data, but for the keys of its mappings."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from texts_in(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from texts_in(item)


def brought_by(environment: Mapping[str, str], data: Any) -> dict[str, str]:
    """The variables of the environment that texts name as `{{ env.NAME }}`."""
    named = (name for text in texts_in(data) for name in _OF_ENVIRONMENT.findall(text))
    return {name: environment[name] for name in named if name in environment}


def brought_but_keys(environment: Mapping[str, str], data: Any) -> dict[str, str]:
    """The same without those that are keys by their names: with another key, the answers stay the same."""
    brought = brought_by(environment, data)
    return {name: value for name, value in brought.items() if not _KEY.search(name)}


def keys_in(data: Any) -> frozenset[str]:
    """The texts of an environment or a `config` that are keys by their names."""
    if isinstance(data, list | tuple):
        return frozenset(key for item in data for key in keys_in(item))
    if not isinstance(data, Mapping):
        return frozenset()
    own = (text for name, value in data.items() if _KEY.search(name) for text in texts_in(value))
    below = (key for value in data.values() for key in keys_in(value))
    return frozenset(key for key in (*own, *below) if len(key) >= SHORTEST)


def may_be_told(said: str, prompt: str, keys: frozenset[str]) -> bool:
    """Whether a program's complaint repeats neither what was asked nor a key."""
    return not any(quotes(said, private) for private in (prompt, *keys))
