"""The machines of a Ray cluster."""

from typing import Any

import ray


def nodes() -> list[dict[str, Any]]:
    """Each as Ray tells it; those that went away are among them, with `Alive` false."""
    found: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    return found
