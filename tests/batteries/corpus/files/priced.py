"""An answer with a price."""

from typing import Any


def call_api(prompt: str, options: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    """Say the prompt again, for half a cent."""
    return {"output": prompt, "cost": 0.005}
