"""A judge from a short description: `openai:http://localhost:1234/v1#model`, `recorded:FILE`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from sensecheck.core.encoder import Judge, Unanswered
from sensecheck.core.errors import AnswererError
from sensecheck.core.needs import Prompt
from sensecheck.core.registry import JUDGES, load


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """What a loader may use besides the description; it takes what concerns it."""

    api_key: str | None = field(default=None, repr=False)
    at_once: int = 8
    """How many prompts are asked at the same time."""
    timeout: float = 30.0
    """Seconds to wait for one reply of an endpoint."""
    retries: int = 4


Loader = Callable[[str, JudgeOptions], Judge]
"""What the entry points of `sensecheck.judges` name: (argument, options) to a judge."""


def load_judge(described: str, options: JudgeOptions | None = None) -> Judge:
    """The judge that `kind` or `kind:argument` describes."""
    kind, _, argument = described.partition(":")
    loader = cast(Loader, load(JUDGES, kind))
    return loader(argument, options or JudgeOptions())


def replies_of(judge: Judge, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
    """What a judge replies, once it is sure that there is one reply for each prompt."""
    replies = judge.ask(prompts) if prompts else ()
    if len(replies) != len(prompts):
        raise AnswererError(
            f"the judge `{judge.fingerprint}` gave {len(replies)} replies to {len(prompts)} prompts"
        )
    return replies
