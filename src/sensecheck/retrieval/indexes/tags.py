"""Metadata as tags: one short word for each key with its value, the same in every engine.

Engines disagree on what equals what, on which keys they take, and on how a quote is escaped. A tag is letters
and digits, so an engine need only tell whether it is there, and nothing that people wrote becomes a query.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from sensecheck.retrieval.wanted import Scalar, Wanted, alternatives


def tags_of(metadata: Mapping[str, Any]) -> list[str]:
    """A tag for each key, with the value that it has."""
    return [_tag(key, value) for key, value in metadata.items()]


def wanted_tags(wanted: Wanted | None) -> list[list[str]]:
    """For each key of the filter, the tags of which a reference must have one."""
    return [[_tag(key, value) for value in values] for key, values in alternatives(wanted or {}).items()]


def _tag(key: str, value: Scalar) -> str:
    """1 and 1.0 are equal, `True` and 1 are not, as in `wanted`."""
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    return "t" + blake2b(json.dumps([key, plain]).encode(), digest_size=16).hexdigest()
