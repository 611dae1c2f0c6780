"""The prompt of a test: the wording with the test's variables put in."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from sensecheck.core.errors import BatteryError
from sensecheck.evals.battery import BatteryTest, Wording
from sensecheck.evals.node import Place
from sensecheck.evals.templates import render

ASKED_BY: Final = ("user", "prompt", "question")
"""The variables that are the prompt of a test when the battery words none; the first that is there counts."""
SYSTEM: Final = "system"


def prompt_of(wording: Wording, test: BatteryTest, environment: Mapping[str, str]) -> str:
    """What the source is asked; a chat is told as a JSON list of messages."""
    raw = wording.raw or _own_wording(test)
    whole = test.prefix + raw + test.suffix
    variables = {**test.vars, "env": environment}
    chat = _chat(whole)
    if chat is None:
        return render(whole, variables, test.place)
    return json.dumps(_filled_in(chat, variables, test.place), ensure_ascii=False, indent=2)


def must_ask(wording: Wording, test: BatteryTest) -> None:
    """Raise unless there is something to ask; answers that are there already need no question."""
    if not wording.raw and _asked(test) is None:
        names = ", ".join(f"`{name}`" for name in ASKED_BY)
        raise BatteryError(
            f"{test.place}: nothing is asked; the battery has no `prompts`, and `vars` has none of {names}"
        )


def _asked(test: BatteryTest) -> str | None:
    return next((name for name in ASKED_BY if name in test.vars), None)


def _own_wording(test: BatteryTest) -> str:
    """A wording that puts in what the test itself asks; nothing, when it asks nothing."""
    asked = _asked(test)
    if asked is None:
        return ""
    if SYSTEM not in test.vars:
        return f"{{{{ {asked} }}}}"
    messages = ((SYSTEM, f"{{{{ {SYSTEM} }}}}"), ("user", f"{{{{ {asked} }}}}"))
    return json.dumps([{"role": role, "content": content} for role, content in messages])


@lru_cache(maxsize=64)
def _chat(text: str) -> Any:
    """The messages, if the text is JSON: then each of its texts is filled in, and the whole stays JSON."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None  # a text that begins with a bracket, or a template that writes JSON itself


def _filled_in(data: Any, variables: Mapping[str, Any], place: Place) -> Any:
    if isinstance(data, str):
        return render(data, variables, place)
    if isinstance(data, list):
        return [_filled_in(item, variables, place) for item in data]
    if isinstance(data, dict):
        return {key: _filled_in(item, variables, place) for key, item in data.items()}
    return data
