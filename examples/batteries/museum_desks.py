"""Two systems under test: the old information desk of a museum, and the new one."""

from typing import Any

OLD = {
    "Sunday": "On Sundays the museum opens at nine.",
    "ticket": "A ticket is 12 euros, and students pay half.",
    "tour": "I am sorry, but I cannot recommend tours.",
    "painted": "Anna Berg painted the lighthouse in 1921.",
    "JSON": "Go up the stairs, then left.",
}
NEW = {
    "Sunday": "The museum opens at ten on Sundays.",
    "ticket": "A ticket is 12 euros. Children under six come in free.",
    "tour": "Take the treasure hunt through the old town: children love it.",
    "painted": "It was painted by Anna Berg in 1911.",
    "JSON": '{"floor": 1, "room": 4}',
}


def old_desk(prompt: str, options: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the old desk."""
    return {"output": _said(OLD, prompt)}


def new_desk(prompt: str, options: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the new desk."""
    return {"output": _said(NEW, prompt)}


def _said(answers: dict[str, str], prompt: str) -> str:
    return next(answer for word, answer in answers.items() if word in prompt)
