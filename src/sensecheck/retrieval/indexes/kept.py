"""A reference as one line of text, so that each engine gives back exactly what it was given."""

import json
from dataclasses import fields

from sensecheck.retrieval.indexes.index import Reference


def kept(reference: Reference) -> str:
    """The reference as JSON in ASCII: 1 stays 1, 1.0 stays 1.0, and no character can trouble an engine."""
    held = {field.name: getattr(reference, field.name) for field in fields(reference)}
    return json.dumps(held | {"metadata": dict(reference.metadata)}, allow_nan=False)


def reference_of(line: str) -> Reference:
    """The reference that `kept` wrote."""
    return Reference(**json.loads(line))
