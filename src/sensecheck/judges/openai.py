"""A judge behind any server that answers `/v1/chat/completions` as OpenAI does.

Such servers are LM Studio, vLLM, Ollama and llama.cpp. The model is asked to reply as repeatably as it can,
unless its `Sampling` says otherwise.
"""

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from math import inf
from typing import Any, Self

from sensecheck.core.backends import GivenUp, Unanswered
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Prompt
from sensecheck.core.serialization import did_you_mean
from sensecheck.io.openai import Endpoint, Failure, is_address
from sensecheck.io.retry import FailureStreak

ROUTE = "/v1/chat/completions"


@dataclass(frozen=True, slots=True)
class Sampling:
    """What is sent along with every prompt; None is not sent, which leaves it to the server."""

    temperature: float | None = 0.0
    seed: int | None = 0
    max_tokens: int | None = 1024
    """The longest reply; a reply that is cut there is not read."""
    max_completion_tokens: int | None = None
    """The same, as newer models of OpenAI want it: with `max_tokens=none`."""

    def __post_init__(self) -> None:
        for name, least in (("temperature", 0), ("max_tokens", 1), ("max_completion_tokens", 1)):
            value = getattr(self, name)
            if value is not None and not least <= value < inf:
                raise SpecError(f"`{name}` must be at least {least}, and finite; got {value}")
        if self.temperature is not None:  # 0, 0.0 and -0.0 ask for the same, and get the same fingerprint
            object.__setattr__(self, "temperature", float(self.temperature) + 0.0)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """From `temperature=none&max_tokens=4096`: what is not named stays as it is."""
        kinds = {field.name: float if field.name == "temperature" else int for field in fields(cls)}
        values: dict[str, float | None] = {}
        for part in text.split("&") if text else ():
            name, _, value = part.partition("=")
            if name not in kinds:
                raise SpecError(did_you_mean("setting of the judge", name, kinds))
            values[name] = None if value == "none" else _number(name, value, kinds[name])
        return cls(**values)  # type: ignore[arg-type]  # each value has the type of its field

    def parameters(self) -> dict[str, float]:
        """Those that are sent."""
        return {name: value for name, value in asdict(self).items() if value is not None}


PLAIN = Sampling()


class OpenAIJudge:
    """A language model behind an endpoint. What fails for one prompt fails for no other.

    Only an endpoint that answers none of many prompts in a row is given up, for the rest of one call.
    """

    def __init__(
        self, endpoint: Endpoint, model: str, *, concurrency: int = 8, sampling: Sampling = PLAIN
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self.concurrency = concurrency
        """How many prompts are asked at the same time."""
        self._parameters = sampling.parameters()

    @property
    def fingerprint(self) -> str:
        """Changes with the model's name, its address and its settings; what is served there is not seen."""
        described = json.dumps([1, self._model, self._endpoint.asked, self._parameters], sort_keys=True)
        return f"openai:{self._model}:{hashlib.sha256(described.encode()).hexdigest()[:12]}"

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        """One reply per prompt, in order, or why there is none; so many are asked at once as was set."""
        if not prompts:
            return []
        streak = FailureStreak(self.concurrency)
        with ThreadPoolExecutor(min(self.concurrency, len(prompts)), "judge") as pool:
            return list(pool.map(lambda prompt: self._reply(prompt, streak), prompts))

    def _reply(self, prompt: Prompt, streak: FailureStreak) -> str | Unanswered:
        if streak.stopped_because:
            return GivenUp(streak.stopped_because)
        system = [{"role": "system", "content": prompt.system}] if prompt.system else []
        messages: Any = [*system, {"role": "user", "content": prompt.user}]
        parameters: Any = self._parameters
        completion = self._endpoint.ask(
            lambda client: client.chat.completions.create(model=self._model, messages=messages, **parameters),
            (prompt.system, prompt.user),
        )
        if not isinstance(completion, Failure):
            streak.answered()
            return self._read(completion)
        if completion.unreachable:
            streak.failed(completion.says, absent=completion.absent)
        else:
            streak.answered()
        return Unanswered(completion.says)

    def _read(self, completion: Any) -> str | Unanswered:
        """The text of the first choice; what the judge said instead of one is not repeated."""
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list) or not choices:
            return self._unanswered("without a reply: it has no choices")
        choice, message = choices[0], getattr(choices[0], "message", None)
        content, reason = getattr(message, "content", None), getattr(choice, "finish_reason", None)
        if getattr(message, "refusal", None):
            return self._unanswered("with a refusal of the model")
        if reason == "content_filter":
            return self._unanswered("with a reply that its content filter held back")
        if reason == "length":
            return self._unanswered("with a reply that was cut for its length; raise `max_tokens`")
        if not isinstance(content, str) or not content.strip():
            return self._unanswered("with a reply that holds no text")
        return content

    def _unanswered(self, how: str) -> Unanswered:
        return Unanswered(f"`{self._endpoint.url}` answered {how}")


def openai_judge(
    url: str,
    model: str,
    *,
    sampling: Sampling = PLAIN,
    api_key: str | None = None,
    concurrency: int = 8,
    timeout: float = 30.0,
    retries: int = 4,
) -> OpenAIJudge:
    """The judge behind an address such as `http://localhost:1234/v1`."""
    if not (is_address(url) and model):
        raise SpecError("the judge `openai` needs `openai:http://HOST:PORT/v1#MODEL`")
    endpoint = Endpoint.at(url, ROUTE, api_key=api_key, timeout=timeout, retries=retries)
    return OpenAIJudge(endpoint, model, concurrency=concurrency, sampling=sampling)


def _number(name: str, value: str, kind: type[float] | type[int]) -> float:
    try:
        return kind(value)
    except ValueError as error:
        raise SpecError(f"`{name}` must be a number, or `none`; got `{value}`") from error
