"""What a program gives as its answer, as a text."""

import json
from typing import Any

from sensecheck.evals.sources.secrets import may_be_told
from sensecheck.evals.sources.source import Answer, NoAnswer

_SAID = 200
"""As many characters of an error are told."""


def text_of(output: Any) -> str | None:
    """A text as it is, other data as JSON; None when there is nothing, or nothing that can be written."""
    if output is None or isinstance(output, str):
        return output
    try:
        return json.dumps(output, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return None


def answer_from(
    given: Any, latency_ms: float, *, who: str, prompt: str, keys: frozenset[str]
) -> Answer | NoAnswer:
    """What a function returned: a text, or a mapping with `output` and perhaps `cost`, or with `error`."""
    output, cost = given, None
    if isinstance(given, dict) and {"output", "error"} & given.keys():
        if given.get("error"):
            return NoAnswer(f"{who} gave an error{_told(str(given['error']), prompt, keys)}")
        output, cost = given.get("output"), given.get("cost")
    text = text_of(output)
    if text is None:
        return NoAnswer(f"{who} gave {type(output).__name__}; wanted a text, or a mapping with `output`")
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, int | float)):
        return NoAnswer(f"{who} gave a `cost` that is no number; found {type(cost).__name__}")
    return Answer(text, latency_ms=latency_ms, cost=cost)


def _told(error: str, prompt: str, keys: frozenset[str]) -> str:
    """What a function says went wrong, unless that repeats what nobody should read."""
    if not may_be_told(error[: 2 * _SAID], prompt, keys):  # twice: a key may lie on the cut
        return " that repeats the prompt, or a key"
    return f": {error[:_SAID]}"
