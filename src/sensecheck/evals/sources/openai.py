"""A model behind any server that answers `/v1/chat/completions` as OpenAI does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sensecheck.evals.battery import SourceSpec
from sensecheck.evals.sources.chat import messages_of
from sensecheck.evals.sources.digests import digest
from sensecheck.evals.sources.openai_config import OpenAIConfig, Prices
from sensecheck.evals.sources.options import AT_ONCE, SourceOptions
from sensecheck.evals.sources.source import Answer, NoAnswer, Question
from sensecheck.io.openai import Endpoint, Failure

ROUTE = "/v1/chat/completions"
_OTHER_ROUTES = ("completion", "embedding", "embeddings", "assistant", "image", "responses", "realtime")
_MORE_ROUTES = ("moderation", "transcription", "speech", "video", "agents", "chatkit", "codex", "codex-sdk")


@dataclass(frozen=True, slots=True)
class OpenAISource:
    """Asks a model in a chat. The client waits as long as a busy server says before it asks again."""

    label: str
    model: str
    endpoint: Endpoint
    fingerprint: str
    """Changes with the model's name, its address and its settings; what is served there is not seen."""
    parameters: Mapping[str, Any]
    passthrough: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    prices: Prices | None = None
    at_once: int = AT_ONCE
    keyless: bool = False
    kept: bool = True

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the model says, or why it says nothing."""
        messages: Any = messages_of(question.prompt)
        parameters: Any = self.parameters
        reply = self.endpoint.ask(
            lambda client: client.chat.completions.with_raw_response.create(
                model=self.model,
                messages=messages,
                extra_body=dict(self.passthrough) or None,
                extra_headers=dict(self.headers) or None,
                **parameters,
            ),
            (question.prompt, *self.headers.values()),
        )
        if isinstance(reply, Failure):
            return self._failed(reply)
        completion = self.endpoint.ask(lambda _: reply.parse(), (question.prompt,))
        if isinstance(completion, Failure):
            return self._failed(completion)
        return self._read(completion, reply.elapsed.total_seconds() * 1000)

    def _failed(self, failure: Failure) -> NoAnswer:
        unnamed = self.keyless and " 401 " in failure.says
        hint = "; no key was sent: name one with `apiKeyEnvar` or `apiKey`" if unnamed else ""
        return NoAnswer(f"{failure.says}{hint}", failure.unreachable, failure.absent)

    def _read(self, completion: Any, latency_ms: float) -> Answer | NoAnswer:
        """The text of the first choice; that a model refuses is its answer."""
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list) or not choices:
            return NoAnswer(f"`{self.endpoint.url}` answered without a reply: it has no choices")
        message = getattr(choices[0], "message", None)
        said, refusal = getattr(message, "content", None), getattr(message, "refusal", None)
        text = said or refusal or said  # an empty text is an answer too
        if not text and getattr(choices[0], "finish_reason", None) == "content_filter":
            return NoAnswer(f"`{self.endpoint.url}` answered with a reply that its content filter held back")
        if not isinstance(text, str):
            return NoAnswer(f"`{self.endpoint.url}` answered with a reply that holds no text")
        return Answer(text, latency_ms=latency_ms, cost=self._cost(completion))

    def _cost(self, completion: Any) -> float | None:
        usage = getattr(completion, "usage", None)
        asked, answered = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
        if self.prices is None or not (isinstance(asked, int) and isinstance(answered, int)):
            return None
        return asked * self.prices.asked + answered * self.prices.answered


def fits(source_id: str) -> bool:
    """Whether an id names a model in a chat."""
    name, _, rest = source_id.partition(":")
    kind, _, model = rest.partition(":")
    if name != "openai" or kind in (*_OTHER_ROUTES, *_MORE_ROUTES):
        return False
    return bool(model) if kind == "chat" else bool(rest)


def check(spec: SourceSpec) -> None:
    """Read what the file says about the model."""
    OpenAIConfig.read(spec.config, spec.id)


def load(spec: SourceSpec, options: SourceOptions) -> OpenAISource:
    """The model at the address that the battery names."""
    model = spec.id.removeprefix("openai:").removeprefix("chat:")
    config = OpenAIConfig.read(spec.config, spec.id)
    key = config.key(options.environment)
    url = config.address(options.environment)
    endpoint = Endpoint.at(url, ROUTE, api_key=key, timeout=options.timeout, retries=options.retries)
    return OpenAISource(
        spec.label,
        model,
        endpoint,
        f"openai:{model}:{digest(model, endpoint.asked, config.sent(model, options.environment))}",
        config.parameters(model),
        config.passthrough(),
        config.headers(options.environment),
        config.prices(),
        options.at_once,
        keyless=key is None,
    )
