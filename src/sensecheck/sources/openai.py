"""A source that is a model behind any server which answers `/v1/chat/completions` as OpenAI does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias

from sensecheck.documents.node import Node
from sensecheck.documents.templates import render
from sensecheck.io.openai import Endpoint, Failure, is_address
from sensecheck.sources.source import (
    MAX_CONCURRENCY,
    Answer,
    NoAnswer,
    Question,
    SourceOptions,
    SourceSpec,
    chat_in,
    digest,
    keys_of,
    used_variables_but_keys,
)

ADDRESS = "https://api.openai.com/v1"
ROUTE = "/v1/chat/completions"
_NUMBERS = ("temperature", "top_p", "frequency_penalty", "presence_penalty")
_COUNTS = ("max_tokens", "max_completion_tokens")
_OTHER = ("seed", "stop", "response_format", "reasoning_effort")
_WHERE = ("apiBaseUrl", "apiKey", "apiKeyEnvar", "headers", "passthrough")
_PRICES = ("cost", "inputCost", "outputCost")
KNOWN = (*_NUMBERS, *_COUNTS, *_OTHER, *_WHERE, *_PRICES)
FOREIGN = (
    *(
        "apiHost",
        "organization",
        "tools",
        "tool_choice",
        "functions",
        "function_call",
        "functionToolCallbacks",
    ),
    *("reasoning", "verbosity", "modalities", "audio", "audioInputCost", "audioOutputCost", "logit_bias"),
    *("best_of", "user", "metadata", "store", "service_tier", "omitDefaults", "showThinking", "mcp"),
    *("maxRetries", "parallel_tool_calls", "prediction", "n", "max_output_tokens", "webSearchOptions"),
)
_REASONING = ("o1", "o3", "o4", "gpt-5")
"""Models that refuse a temperature."""
_OTHER_ROUTES = (
    *("completion", "embedding", "embeddings", "assistant", "image", "responses", "realtime"),
    *("moderation", "transcription", "speech", "video", "agents", "chatkit", "codex", "codex-sdk"),
)


Prices: TypeAlias = tuple[float, float]
"""What a token costs, going in and coming out."""


@dataclass(frozen=True, slots=True)
class OpenAIConfig:
    """The `config` of a model, read."""

    entries: Mapping[str, Node]
    node: Node

    @classmethod
    def read(cls, spec: SourceSpec) -> Self:
        """The config; a key or a value that makes no sense is an error with its place."""
        config = cls(keys_of(spec.config, spec.id, KNOWN, foreign=FOREIGN), spec.config)
        config.parameters(spec.id)
        config.prices()
        config.written_headers()
        for key in ("apiBaseUrl", "apiKey", "apiKeyEnvar"):
            if key in config.entries:
                config.entries[key].text(f"`{key}`")
        return config

    def parameters(self, model: str) -> dict[str, Any]:
        """What is sent along with every prompt: as repeatable as can be, unless the file says otherwise."""
        values = {} if model.rpartition(":")[2].startswith(_REASONING) else {"temperature": 0.0}
        values |= {key: self.entries[key].number(f"`{key}`") for key in _NUMBERS if key in self.entries}
        values |= {
            key: self.entries[key].whole(f"`{key}`", least=1) for key in _COUNTS if key in self.entries
        }
        return values | {key: self.entries[key].plain() for key in _OTHER if key in self.entries}

    def sent(self, model: str, environment: Mapping[str, str]) -> list[Any]:
        """All that shapes the answers and what they cost; of the environment, all but keys."""
        headers = self.written_headers()
        variables = used_variables_but_keys(environment, headers)
        return [self.parameters(model), self.passthrough(), headers, variables, self.prices()]

    def passthrough(self) -> dict[str, Any]:
        """What is sent along without being looked at."""
        node = self.entries.get("passthrough")
        entries = {} if node is None else node.entries("`passthrough`")
        return {key: item.plain() for key, item in entries.items()}

    def prices(self) -> Prices | None:
        """What tokens cost; None when the file does not tell both ways."""
        amounts = {
            key: self.entries[key].number(f"`{key}`", least=0.0) for key in _PRICES if key in self.entries
        }
        prompt, completion = (
            amounts.get("inputCost", amounts.get("cost")),
            amounts.get("outputCost", amounts.get("cost")),
        )
        if not amounts:
            return None
        if prompt is None or completion is None:
            raise self.node.error("`inputCost` and `outputCost` go together; or give `cost` for both")
        return prompt, completion

    def written_headers(self) -> dict[str, str]:
        """Headers of the user's own, as they stand in the file."""
        node = self.entries.get("headers")
        entries = {} if node is None else node.entries("`headers`")
        return {key: item.text(f"the header `{key}`") for key, item in entries.items()}

    def headers(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The same with what they take from the environment."""
        return {
            key: render(text, {"env": environment}, self.entries["headers"].place)
            for key, text in self.written_headers().items()
        }

    def address(self, environment: Mapping[str, str]) -> str:
        """Where the model is: as the file says, or the environment, or else at OpenAI."""
        node = self.entries.get("apiBaseUrl")
        if node is None:
            return environment.get("OPENAI_BASE_URL") or ADDRESS
        url = render(node.text("`apiBaseUrl`"), {"env": environment}, node.place)
        if not is_address(url):
            raise node.error("`apiBaseUrl` must be an address such as `http://localhost:1234/v1`")
        return url

    def key(self, environment: Mapping[str, str]) -> str | None:
        """The key that is sent; OpenAI's own is sent to no address that the battery chose."""
        if "apiKey" in self.entries:
            node = self.entries["apiKey"]
            return render(node.text("`apiKey`"), {"env": environment}, node.place)
        if "apiKeyEnvar" in self.entries:
            node = self.entries["apiKeyEnvar"]
            name = node.text("`apiKeyEnvar`")
            if not environment.get(name):
                raise node.error(f"`apiKeyEnvar` names the variable `{name}`, which is not set")
            return environment[name]
        if "apiBaseUrl" in self.entries:
            return None
        if not environment.get("OPENAI_API_KEY") and self.address(environment) == ADDRESS:
            raise self.node.error("the variable `OPENAI_API_KEY` is not set; set it, or name `apiBaseUrl`")
        return environment.get("OPENAI_API_KEY")


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
    concurrency: int = MAX_CONCURRENCY
    keyless: bool = False
    cacheable: bool = True

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the model says, or why it says nothing."""
        messages: Any = chat_in(question.prompt) or [{"role": "user", "content": question.prompt}]
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
            return self._no_answer(reply)
        completion = self.endpoint.ask(lambda _: reply.parse(), (question.prompt,))
        if isinstance(completion, Failure):
            return self._no_answer(completion)
        return self._read(completion, reply.elapsed.total_seconds() * 1000)

    def _no_answer(self, failure: Failure) -> NoAnswer:
        lacks_key = self.keyless and " 401 " in failure.says
        hint = "; no key was sent: name one with `apiKeyEnvar` or `apiKey`" if lacks_key else ""
        return NoAnswer(f"{failure.says}{hint}", failure.unreachable, failure.absent)

    def _read(self, completion: Any, latency_ms: float) -> Answer | NoAnswer:
        """The text of the first choice; that a model refuses is its answer."""
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list) or not choices:
            return NoAnswer(f"`{self.endpoint.url}` answered without a reply: it has no choices")
        message = getattr(choices[0], "message", None)
        content, refusal = getattr(message, "content", None), getattr(message, "refusal", None)
        text = content or refusal or content  # an empty text is an answer too
        if not text and getattr(choices[0], "finish_reason", None) == "content_filter":
            return NoAnswer(f"`{self.endpoint.url}` answered with a reply that its content filter held back")
        if not isinstance(text, str):
            return NoAnswer(f"`{self.endpoint.url}` answered with a reply that holds no text")
        return Answer(text, latency_ms=latency_ms, cost=self._cost(completion))

    def _cost(self, completion: Any) -> float | None:
        usage = getattr(completion, "usage", None)
        sent, received = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
        if self.prices is None or not (isinstance(sent, int) and isinstance(received, int)):
            return None
        asked, answered = self.prices
        return sent * asked + received * answered


def fits(source_id: str) -> bool:
    """Whether an id names a model in a chat."""
    name, _, rest = source_id.partition(":")
    kind, _, model = rest.partition(":")
    if name != "openai" or kind in _OTHER_ROUTES:
        return False
    return bool(model) if kind == "chat" else bool(rest)


def load(spec: SourceSpec, options: SourceOptions) -> OpenAISource:
    """The model at the address that the battery names."""
    model = spec.id.removeprefix("openai:").removeprefix("chat:")
    config = OpenAIConfig.read(spec)
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
        options.concurrency,
        keyless=key is None,
    )
