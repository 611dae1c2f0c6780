"""Any server that answers `/v1/chat/completions` as OpenAI does: LM Studio, vLLM, Ollama, llama.cpp."""

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sensecheck.core.encoder import GivenUp, Unanswered
from sensecheck.core.endpoint import Endpoint, Failure, is_address
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Prompt
from sensecheck.core.retry import FailureStreak
from sensecheck.judges.sampling import Sampling

ROUTE = "/v1/chat/completions"
PLAIN = Sampling()


class OpenAIJudge:
    """A language model behind an endpoint. What fails for one prompt fails for no other.

    Only an endpoint that answers none of many prompts in a row is given up, for the rest of one call.
    """

    def __init__(
        self, endpoint: Endpoint, model: str, *, at_once: int = 8, sampling: Sampling = PLAIN
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self.at_once = at_once
        """How many prompts are asked at the same time."""
        self._parameters = sampling.parameters()

    @property
    def fingerprint(self) -> str:
        """Changes with the model's name, its address and its settings; what is served there is not seen."""
        described = json.dumps([1, self._model, self._endpoint.asked, self._parameters], sort_keys=True)
        return f"openai:{self._model}:{hashlib.sha256(described.encode()).hexdigest()[:12]}"

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        """One reply a prompt, in order, or why there is none; so many are asked at once as was set."""
        if not prompts:
            return []
        streak = FailureStreak(self.at_once)
        with ThreadPoolExecutor(min(self.at_once, len(prompts)), "judge") as pool:
            return list(pool.map(lambda prompt: self._reply(prompt, streak), prompts))

    def _reply(self, prompt: Prompt, streak: FailureStreak) -> str | Unanswered:
        if streak.given_up:
            return GivenUp(streak.given_up)
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
            return self._nothing("without a reply: it has no choices")
        choice, message = choices[0], getattr(choices[0], "message", None)
        content, reason = getattr(message, "content", None), getattr(choice, "finish_reason", None)
        if getattr(message, "refusal", None):
            return self._nothing("with a refusal of the model")
        if reason == "content_filter":
            return self._nothing("with a reply that its content filter held back")
        if reason == "length":
            return self._nothing("with a reply that was cut for its length; raise `max_tokens`")
        if not isinstance(content, str) or not content.strip():
            return self._nothing("with a reply that holds no text")
        return content

    def _nothing(self, how: str) -> Unanswered:
        return Unanswered(f"`{self._endpoint.url}` answered {how}")


def openai_judge(
    url: str,
    model: str,
    *,
    sampling: Sampling = PLAIN,
    api_key: str | None = None,
    at_once: int = 8,
    timeout: float = 30.0,
    retries: int = 4,
) -> OpenAIJudge:
    """The judge behind an address such as `http://localhost:1234/v1`."""
    if not (is_address(url) and model):
        raise SpecError("the judge `openai` wants `openai:http://HOST:PORT/v1#MODEL`")
    endpoint = Endpoint.at(url, ROUTE, api_key=api_key, timeout=timeout, retries=retries)
    return OpenAIJudge(endpoint, model, at_once=at_once, sampling=sampling)
