"""One stage from data, by its name; what is not understood is told with its place."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Literal, TypeVar, cast

from sensecheck.calibration.target import KEYS as PROMISE
from sensecheck.core.cutoff import KEYS as LINE
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import decode, held, hints_of, only, required, told_where
from sensecheck.encoders.token_counter import token_counter
from sensecheck.retrieval.described import Parts
from sensecheck.retrieval.prompt import Block
from sensecheck.retrieval.stage import Stage
from sensecheck.retrieval.stage_data import MAIN, PLAIN
from sensecheck.retrieval.stages.above import Above, above
from sensecheck.retrieval.stages.rerank import Rerank, RerankByPairs
from sensecheck.retrieval.stages.tagged import Tagged, tagged
from sensecheck.retrieval.stages.within_tokens import WithinTokens

T = TypeVar("T")


def known_stages() -> tuple[str, ...]:
    """What can be named in a chain."""
    return (*PLAIN, *_READERS)


def read_stage(name: str, given: Any, parts: Parts, *, at: str) -> Stage:
    """The stage of this name, as it is told to be."""
    if name in PLAIN:
        return _plain(PLAIN[name], MAIN[name], given, at)
    return _READERS[name](given, parts, at)


def _above(data: Any, parts: Parts, at: str) -> Above:
    if isinstance(data, Mapping) and ("line" in data or "unsure" in data):
        only(data, ("line", "unsure"), at)
        unsure = decode(Literal["keep", "drop"], data.get("unsure", "drop"), at=f"{at}.unsure")
        line, at = held(data, "line", at), f"{at}.line"
    else:
        line, unsure = data, "drop"
    if isinstance(line, Mapping):
        only(line, (*LINE, *PROMISE, *(() if line is not data else ("line", "unsure"))), at)
    elif not isinstance(line, str):
        line = decode(float, line, at=at)
    with told_where(at):
        if line == {}:
            raise SpecError("a line is wanted: a number, a card's name, or a promise such as {fpr: 0.05}")
        is_cutoff = isinstance(line, Mapping) and not any(key in line for key in PROMISE)
        return above(Cutoff.from_data(line) if is_cutoff else parts.shelf.line(line), unsure=unsure)


def _tagged(data: Any, parts: Parts, at: str) -> Tagged:
    wanted = _mapping(data, at, "{lang: en}")
    with told_where(at):
        return tagged(wanted)


def _rerank(data: Any, parts: Parts, at: str) -> Rerank | RerankByPairs:
    given = _mapping(data, at, "{encoder: minilm}")
    only(given, ("encoder", "verifier"), at)
    if len(given) == 2:
        raise SpecError(f"`{at}` wants one of `encoder` and `verifier`; found both")
    described = {key: decode(str, item, at=f"{at}.{key}") for key, item in given.items()}
    with told_where(at):
        if "verifier" in described:
            return RerankByPairs(parts.verifier(described["verifier"]), "below")
        return Rerank(parts.encoder(described["encoder"]) if described else None)


def _within_tokens(data: Any, parts: Parts, at: str) -> WithinTokens:
    given = _mapping(data, at, "{tokens: 500, counter: minilm}")
    of_block = hints_of(Block)
    only(given, ("tokens", "counter", "over", *of_block), at)
    tokens = decode(int, held(given, "tokens", at), at=f"{at}.tokens")
    counter = decode(str, held(given, "counter", at), at=f"{at}.counter")
    over = decode(hints_of(WithinTokens)["over"], given.get("over", "stop"), at=f"{at}.over")
    formatted = _plain(Block, "tag", {key: item for key, item in given.items() if key in of_block}, at)
    with told_where(at):
        return WithinTokens(tokens, token_counter(counter), over, formatted)


_READERS: Mapping[str, Callable[[Any, Parts, str], Stage]] = {
    "above": _above,
    "tagged": _tagged,
    "rerank": _rerank,
    "within_tokens": _within_tokens,
}


def _plain(cls: type[T], main: str, data: Any, at: str) -> T:
    """A dataclass of plain values, by its fields; a value alone stands for its main one."""
    hints = hints_of(cast(type, cls))
    if isinstance(data, Mapping):
        only(data, hints, at)
        values = {key: decode(hints[key], item, at=f"{at}.{key}") for key, item in data.items()}
    else:
        values = {main: decode(hints[main], data, at=at)}
    for field in fields(cls):  # type: ignore[arg-type]  # each of ours is a dataclass
        if required(field):
            held(values, field.name, at)
    with told_where(at):
        return cls(**values)


def _mapping(data: Any, at: str, example: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise SpecError(f"`{at}` wants a mapping such as {example}; found {type(data).__name__}")
    return data
