"""Assertions in a file of their own."""

from typing import Any


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Whether the answer is short."""
    return {"pass": len(output) < 10, "score": 1.0 if len(output) < 10 else 0.0, "reason": "counted letters"}


def is_loud(output: str, context: dict[str, Any]) -> bool:
    """Whether the answer is all capitals."""
    return output.isupper()
