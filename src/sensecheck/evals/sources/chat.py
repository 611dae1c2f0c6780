"""A prompt as the messages of a chat."""

import json
from typing import Any


def messages_of(prompt: str) -> list[dict[str, Any]]:
    """The messages that the prompt is a JSON list of; any other prompt is one message of the user."""
    return chat_in(prompt) or [{"role": "user", "content": prompt}]


def chat_in(prompt: str) -> list[dict[str, Any]] | None:
    """The messages that the prompt is a JSON list of; None when it is anything else."""
    if not prompt.lstrip().startswith("["):
        return None
    try:
        held = json.loads(prompt)
    except (ValueError, RecursionError):
        return None
    is_chat = isinstance(held, list) and all(
        isinstance(one, dict) and isinstance(one.get("role"), str) and "content" in one for one in held
    )
    return held if is_chat else None
