"""The model that `--ask` names, as a source of answers."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.evals.battery import SourceSpec
from sensecheck.evals.node import Node, Place
from sensecheck.evals.sources.loading import SourceOptions, connect
from sensecheck.evals.sources.source import Source
from sensecheck.io.openai import is_address
from sensecheck.wiring import Settings, variables

_PLACE = Place("--ask", 1)
SENT = (
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
_WANTED = "`openai:http://localhost:8080/v1#MODEL`"


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is asked, and how."""

    described: str
    """`openai:URL#MODEL`, with `?temperature=0.2` and the like after it."""
    key_variable: str | None = None
    """The variable that holds the key; the key of an encoder is sent to no model."""
    at_once: int = 4
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
        named = parse_qsl(self._split()[2], keep_blank_values=True)
        for name, _ in named:
            _must_be_known(name)
        return {name: _plain(value) for name, value in named}

    def must_be_possible(self, settings: Settings) -> None:
        """Raise `SpecError` unless the model can be asked, as far as that is known without asking."""
        if self.at_once < 1:
            raise SpecError(f"`--at-once` wants 1 or more; found {self.at_once}")
        replace(self, cached=False).source(settings)

    def source(self, settings: Settings) -> Source:
        """The model, ready to be asked; what it answers is kept on disk, and not asked again."""
        config = {"apiBaseUrl": self.url, **self.parameters}
        if self.key_variable is not None:
            config["apiKeyEnvar"] = self.key_variable
        spec = SourceSpec(f"openai:chat:{self.model}", self.model, Node.of(config, _PLACE))
        options = SourceOptions(
            Path(),
            variables(),
            timeout=settings.timeout,
            retries=settings.retries,
            at_once=self.at_once,
        )
        try:
            (source,) = connect(
                [spec], options, kept=settings.answers_file() if self.cached else None, run=""
            )
        except BatteryError as wrong:
            raise SpecError(str(wrong).replace(f"{_PLACE}: ", "`--ask`: ")) from wrong
        return source

    def _split(self) -> tuple[str, str, str]:
        kind, _, rest = self.described.partition(":")
        url, _, served = rest.partition("#")
        model, _, parameters = served.partition("?")
        if kind != "openai" or not is_address(url) or not model:
            raise SpecError(f"`--ask` wants {_WANTED}; found another form, or no address in it")
        return url, model, parameters


def _must_be_known(name: str) -> None:
    """Parameters are kept beside the run, so that none may be taken that could be a key."""
    if name not in SENT:
        found = f"`{name}`" if name.isidentifier() else "another one"
        raise SpecError(
            f"`--ask` sends none but these along: {', '.join(SENT)}; found {found}; a key is named by its "
            "variable, with `--ask-key VARIABLE`"
        )


def _plain(value: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
