"""What a source of answers is: its description, the questions it gets, the answers it gives.

Below that, what all sources share: which values are keys, the texts of a `config`, chats, digests.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from sensecheck.documents.node import Node
from sensecheck.io.redaction import quotes

MAX_CONCURRENCY = 4
"""Questions under way at the same time, unless set otherwise."""
MIN_KEY_CHARS = 8
"""Characters of a key; what is shorter is a number or a switch whose name merely sounds like one."""
_KEY = re.compile(r"(?:TOKEN|(?:KEY|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?)(?:_|$)", re.IGNORECASE)
_OF_ENVIRONMENT = re.compile(r"\benv\b\W+(\w+)")
_MAX_ERROR = 200
"""Characters of an error that a message repeats."""


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A source of answers as the file describes it, not yet connected."""

    id: str
    """`openai:chat:MODEL`, `https://…`, `exec:…`, `file://answers.py`, `recorded:FILE`, `echo`."""
    label: str
    config: Node
    """What stands under `config`; an empty mapping when nothing does."""
    wordings: tuple[str, ...] | None = None
    """The labels of the prompts that it is asked; None for all."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a source is asked: one test, worded by one prompt."""

    prompt: str
    """With all variables put in; a JSON list of messages when the prompt is a chat."""
    vars: Mapping[str, Any] = field(default_factory=dict)
    test: str = ""
    """The test's key."""
    description: str = ""
    number: int = 0
    repeat: int = 1
    """The same question again is another one: 2 for the second time, and so on."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source said, and what is known about how it came."""

    text: str
    latency_ms: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why there is no answer, in words that hold neither secrets nor what was asked."""

    because: str
    unreachable: bool = False
    """Whether the source, rather than the question, is the reason."""
    absent: bool = False
    """Whether the endpoint is unreachable."""


class AnswerSource(Protocol):
    """Answers questions. It is called from several threads, at most `concurrency` of them."""

    @property
    def label(self) -> str:
        """What reports call it."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever other answers are to be expected."""
        ...

    @property
    def concurrency(self) -> int:
        """How many questions it takes at the same time."""
        ...

    @property
    def cacheable(self) -> bool:
        """Whether its answers are worth caching: not those that are read from a file, or made at no cost."""
        ...

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The answer, or why there is none; what is merely wrong with the setup raises instead."""
        ...


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Where a battery is, and how its sources are asked."""

    folder: Path
    """Where the paths of the battery begin."""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The variables that a battery may name: it holds keys, so it is never shown."""
    timeout: float = 60.0
    """Seconds for one try."""
    retries: int = 4
    """How often a question is asked again when the source has too much to do."""
    concurrency: int = MAX_CONCURRENCY
    """How many questions one source takes at the same time, unless its own description says fewer."""


def keys_of(
    config: Node, source: str, known: Iterable[str] | None, *, foreign: Iterable[str] = ()
) -> Mapping[str, Node]:
    """The entries of a `config`; a key that is not among the known ones, if these are named, is an error."""
    what = f"`config` of `{source}`"
    for key in config.mapping(what):
        if key in foreign:
            message = f"`{key}` is a key of promptfoo that sensecheck does not have for `{source}`"
            raise config.error(message, key=key)
    return config.mapping(what, known)


def used_variables(environment: Mapping[str, str], data: Any) -> dict[str, str]:
    """The variables of the environment that texts name as `{{ env.NAME }}`."""
    named = (name for text in texts_in(data) for name in _OF_ENVIRONMENT.findall(text))
    return {name: environment[name] for name in named if name in environment}


def used_variables_but_keys(environment: Mapping[str, str], data: Any) -> dict[str, str]:
    """The same without those that are keys by their names: with another key, the answers stay the same."""
    variables = used_variables(environment, data)
    return {name: value for name, value in variables.items() if not _KEY.search(name)}


def keys_in(data: Any) -> frozenset[str]:
    """The texts of an environment or a `config` that are keys by their names."""
    if isinstance(data, list | tuple):
        return frozenset(key for item in data for key in keys_in(item))
    if not isinstance(data, Mapping):
        return frozenset()
    direct = (text for name, value in data.items() if _KEY.search(name) for text in texts_in(value))
    nested = (key for value in data.values() for key in keys_in(value))
    return frozenset(key for key in (*direct, *nested) if len(key) >= MIN_KEY_CHARS)


def texts_in(data: Any) -> Iterator[str]:
    """All texts in plain data, but for the keys of its mappings."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from texts_in(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from texts_in(item)


def may_be_repeated(said: str, prompt: str, keys: frozenset[str]) -> bool:
    """Whether a program's complaint repeats neither what was asked nor a key."""
    return not any(quotes(said, private) for private in (prompt, *keys))


def digest(*parts: Any) -> str:
    """A short digest of plain data, the same on every machine."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def chat_in(prompt: str) -> list[dict[str, Any]] | None:
    """The messages that the prompt is a JSON list of; None when it is anything else."""
    messages = json_in(prompt) if prompt.lstrip().startswith("[") else None
    is_chat = isinstance(messages, list) and all(
        isinstance(message, dict) and isinstance(message.get("role"), str) and "content" in message
        for message in messages
    )
    return messages if is_chat else None


def json_in(text: str, otherwise: Any = None) -> Any:
    """What the text holds as JSON; something else where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


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
            error = str(given["error"])
            # twice: a key may be on the cut
            harmless = may_be_repeated(error[: 2 * _MAX_ERROR], prompt, keys)
            said = f": {error[:_MAX_ERROR]}" if harmless else " that repeats the prompt, or a key"
            return NoAnswer(f"{who} gave an error{said}")
        output, cost = given.get("output"), given.get("cost")
    text = text_of(output)
    if text is None:
        return NoAnswer(f"{who} gave {type(output).__name__}; wanted a string, or a mapping with `output`")
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, int | float)):
        return NoAnswer(f"{who} gave a `cost` that is no number; got {type(cost).__name__}")
    return Answer(text, latency_ms=latency_ms, cost=cost)
