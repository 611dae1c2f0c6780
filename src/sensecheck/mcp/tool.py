"""What a tool is, what it works with, how much a call may bring along, and what results share.

A tool is its arguments, as a value that can be called; their schema is read off it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from threading import Lock
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Protocol, Union, get_args, get_origin, get_type_hints

from sensecheck.config import Settings, answerers, card_library
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import CannotJudge, EncoderError, SampleError
from sensecheck.core.protocols import Check
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import required
from sensecheck.encoders.memory import remembering
from sensecheck.sense import MEMORY, Sense

_TEXT_CHARS = 200_000
"""The longest text."""
_CALL_CHARS = 1_000_000
"""All texts of one call together."""
LISTED = 100
"""The longest list: of passages, of clusters, of a cluster's exemplars."""
_DEPTH = 12
"""How deep data may be nested."""
BODY_BYTES = 16_000_000
"""The largest request over HTTP; a call with as many characters as it may have stays below it."""

_HALF_A_PAIR = re.compile("[\ud800-\udfff]")

Schema = dict[str, Any]
Payload = dict[str, Any]

_NAMES: Mapping[Any, str] = {bool: "boolean", NoneType: "null"}

NUMBER: Schema = {"type": "number"}
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
MAYBE_TEXT: Schema = {"type": ["string", "null"]}
FINGERPRINT: Schema = {**MAYBE_TEXT, "description": "The encoder. Numbers of two encoders do not compare."}
UNREAD: Schema = {**COUNT, "description": "Characters that left no trace in the vectors."}
OUTCOME: Schema = {
    "enum": ["pass", "fail", "unsure", "measured", "error"],
    "description": "Only `pass` is a pass. `error` means that nothing could be judged.",
}


@dataclass(frozen=True, slots=True)
class ToolContext:
    """A `Sense`, and its encoder."""

    sense: Sense
    encoder: Encoder

    @classmethod
    def of(cls, settings: Settings) -> "ToolContext":
        """The context that the settings describe; this loads the model."""
        parts = answerers(settings)
        if parts.encoder is None:
            raise EncoderError("the tools must have an encoder; got none")
        encoder = remembering(parts.encoder, MEMORY)
        return cls(Sense(replace(parts, encoder=encoder), card_library(settings)), encoder)


class Tool(Protocol):
    """The arguments of one call: a frozen dataclass whose fields are annotated with what they are about."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    """For the model that is to choose it: what it does, and when to use it."""
    result: ClassVar[Schema]
    """The schema of what `call` gives."""

    def call(self, context: ToolContext) -> Payload:
        """The result, or an error of ours."""
        ...


def arguments_schema(tool: type) -> Schema:
    """The JSON Schema of a tool's arguments; it is closed, so that a typo is seen."""
    hints = get_type_hints(tool, include_extras=True)
    arguments = fields(tool)
    return {
        "type": "object",
        "properties": {field.name: _property(hints[field.name], field) for field in arguments},
        "required": [field.name for field in arguments if required(field)],
        "additionalProperties": False,
    }


def closed(properties: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """The schema of a result with exactly these keys."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }


SPAN: Schema = {
    **closed({"where": TEXT, "start": COUNT, "end": COUNT, "text": TEXT}),
    "description": "A stretch of one of the texts; offsets count code points.",
}
EVIDENCE: Schema = closed(
    {"kind": TEXT, "answer": SPAN, "source": SPAN, "closeness": NUMBER, "note": TEXT},
    optional=("answer", "source", "closeness", "note"),
)


class SharedToolContext:
    """A context that is made when it is first wanted, once; a try that failed is made again."""

    def __init__(self, make: Callable[[], ToolContext]) -> None:
        self._make = make
        self._context: ToolContext | None = None
        self._lock = Lock()

    def __call__(self) -> ToolContext:
        """The context."""
        with self._lock:
            if self._context is None:
                self._context = self._make()
            return self._context


def validate_arguments(arguments: Mapping[str, Any]) -> None:
    """Raise unless the arguments of a call are within the limits, and every text can be written."""
    total = sum(_checked_length(text, at) for at, text in _texts(arguments, "", 0))
    if total > _CALL_CHARS:
        raise SampleError(f"the call has {total} characters; at most {_CALL_CHARS} are taken at once")


def read(context: ToolContext, text: str, check: Check) -> tuple[Reading, str | None]:
    """What a bare check reads of a text, and by which encoder; `CannotJudge` when it cannot be read."""
    verdict = context.sense.judge(Sample(text), check)
    if verdict.reading is None:
        raise CannotJudge(verdict.because)
    return verdict.reading, verdict.fingerprint


def _property(hint: Any, field: "Field[Any]") -> Schema:
    kind, about, *more = get_args(hint) if get_origin(hint) is Annotated else (hint, "")
    given = list(field.default) if isinstance(field.default, tuple) else field.default
    default = {} if given in (MISSING, None) else {"default": given}
    return {"description": about, **(more[0] if more else _type_schema(kind)), **default}


def _type_schema(hint: Any) -> Schema:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_type_schema(option) for option in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple:
        return {"type": "array", "items": _type_schema(args[0]), "maxItems": LISTED}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type_schema(args[1]), "maxProperties": LISTED}
    return {"type": "string", "maxLength": _TEXT_CHARS} if hint is str else {"type": _NAMES[hint]}


def _checked_length(text: str, at: str) -> int:
    if len(text) > _TEXT_CHARS:
        raise SampleError(f"`{at}` has {len(text)} characters; at most {_TEXT_CHARS} are taken")
    surrogate = None if text.isascii() else _HALF_A_PAIR.search(text)
    if surrogate:
        raise SampleError(f"`{at}` holds half a surrogate pair at character {surrogate.start()}")
    return len(text)


def _texts(value: Any, at: str, depth: int) -> Iterator[tuple[str, str]]:
    """Every text in the arguments, keys included, with its place."""
    if depth > _DEPTH:
        raise SampleError(f"`{at[:80]}` is nested too deeply; at most {_DEPTH} levels are taken")
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, Mapping):
        _require_short(value, at)
        for key, item in value.items():
            yield f"a key of `{at}`" if at else "a key", key
            yield from _texts(item, f"{at}.{key[:80]}" if at else key[:80], depth + 1)
    elif isinstance(value, list | tuple):
        _require_short(value, at)
        for index, item in enumerate(value):
            yield from _texts(item, f"{at}[{index}]", depth + 1)


def _require_short(entries: Mapping[str, Any] | list[Any] | tuple[Any, ...], at: str) -> None:
    if len(entries) > LISTED:
        raise SampleError(f"`{at}` has {len(entries)} entries; at most {LISTED} are taken")
