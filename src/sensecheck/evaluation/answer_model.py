"""The model that answers questions, and addresses as they may be shown.

Addresses are stored and shown without a password, and without a query that may hold a key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from sensecheck.config import Settings, variables
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.documents.node import Node, Place
from sensecheck.io.openai import Endpoint, is_address
from sensecheck.sources.loading import SourceOptions, connect
from sensecheck.sources.source import AnswerSource, SourceSpec

DEFAULT_CONCURRENCY = 4
_PLACE = Place("--model", 1)
_SENT = (
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "seed",
    "stop",
    "frequency_penalty",
    "presence_penalty",
    "reasoning_effort",
)
"""What may be sent along with a prompt."""
_MODEL_FORM = "`openai:http://localhost:8080/v1#MODEL`"


@dataclass(frozen=True, slots=True)
class AnswerModel:
    """The model that is asked, and how."""

    described: str
    """`openai:URL#MODEL`, with `?temperature=0.2` and the like after it."""
    api_key_env: str | None = None
    """The variable that holds the key; the key of an encoder is sent to no model."""
    concurrency: int = DEFAULT_CONCURRENCY
    cached: bool = True

    @property
    def url(self) -> str:
        """The address."""
        return self._split()[0]

    @property
    def model(self) -> str:
        """What the server calls it."""
        return self._split()[1]

    @property
    def parameters(self) -> dict[str, Any]:
        """What is sent along with every prompt, as far as it was given."""
        pairs = parse_qsl(self._split()[2], keep_blank_values=True)
        for name, _ in pairs:
            _validate_parameter(name)
        return {name: _plain(value) for name, value in pairs}

    def validate(self, settings: Settings) -> None:
        """Raise `SpecError` unless the model can be asked, as far as that is known without asking."""
        if self.concurrency < 1:
            raise SpecError(f"`--concurrency` must be at least 1; got {self.concurrency}")
        replace(self, cached=False).source(settings)

    def source(self, settings: Settings) -> AnswerSource:
        """The model, ready to be asked; its answers are cached on disk, and not asked for again."""
        config = {"apiBaseUrl": self.url, **self.parameters}
        if self.api_key_env is not None:
            config["apiKeyEnvar"] = self.api_key_env
        spec = SourceSpec(f"openai:chat:{self.model}", self.model, Node.of(config, _PLACE))
        options = SourceOptions(
            Path(),
            variables(),
            timeout=settings.timeout,
            retries=settings.retries,
            concurrency=self.concurrency,
        )
        try:
            (source,) = connect(
                [spec], options, cache_file=settings.answers_file() if self.cached else None, run=""
            )
        except BatteryError as error:
            raise SpecError(str(error).replace(f"{_PLACE}: ", "`--model`: ")) from error
        return source

    def _split(self) -> tuple[str, str, str]:
        kind, _, rest = self.described.partition(":")
        url, _, model_and_parameters = rest.partition("#")
        model, _, parameters = model_and_parameters.partition("?")
        if kind != "openai" or not is_address(url) or not model:
            raise SpecError(f"`--model` must be {_MODEL_FORM}; got another form, or no address in it")
        return url, model, parameters


def shown_address(url: str) -> str:
    """The address without a password, and without its query."""
    return Endpoint(url, "", api_key=None, timeout=1.0, retries=0).url


def shown_encoder(described: str) -> str:
    """What an encoder is called: `openai:URL#MODEL` with such an address, all others as they are."""
    kind, _, argument = described.partition(":")
    url, _, model = argument.partition("#")
    if kind != "openai" or not is_address(url):
        return described
    return f"openai:{shown_address(url)}#{model.partition('?')[0]}"


def shown_data(held: Any) -> Any:
    """Plain data in which every encoder is called so."""
    if isinstance(held, str):
        return shown_encoder(held)
    if isinstance(held, Mapping):
        return {name: shown_data(value) for name, value in held.items()}
    return [shown_data(value) for value in held] if isinstance(held, list | tuple) else held


def _validate_parameter(name: str) -> None:
    """Parameters are stored with the run, so that none may be taken that could be a key."""
    if name not in _SENT:
        got = f"`{name}`" if name.isidentifier() else "another one"
        raise SpecError(
            f"`--model` sends none but these along: {', '.join(_SENT)}; got {got}; a key is named by its "
            "variable, with `--api-key-env VARIABLE`"
        )


def _plain(value: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
