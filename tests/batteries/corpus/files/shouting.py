"""Systems under test that are functions."""

from typing import Any


def call_api(prompt: str, options: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    """The prompt in capitals."""
    return {"output": prompt.upper()}


def whisper(prompt: str, options: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    """The prompt in small letters."""
    return {"output": prompt.lower()}


def broken(prompt: str, options: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    """No answer, and why."""
    return {"error": "the model is asleep"}
