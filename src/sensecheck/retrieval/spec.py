"""Chains as data and back, strictly: what is not understood is an error that says where."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Literal, TypeVar, cast

from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.target import KEYS as PROMISE_KEYS
from sensecheck.core.cutoff import KEYS as CUTOFF_KEYS
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import (
    decode,
    did_you_mean,
    error_context,
    hints_of,
    reject_unknown,
    required,
    required_key,
    to_data,
)
from sensecheck.encoders.token_counter import TokenCounter, token_counter
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.parts import DescribedEncoder, DescribedScorer, Parts
from sensecheck.retrieval.prompt import Block
from sensecheck.retrieval.stage import Stage
from sensecheck.retrieval.stages.diversity import Distinct, Diverse
from sensecheck.retrieval.stages.limits import Tagged, Top, WithinChars, WithinTokens, tagged
from sensecheck.retrieval.stages.ranking import Reorder, Rerank, RerankByPairs
from sensecheck.retrieval.stages.threshold import Above, above

PLAIN: Mapping[str, type[Distinct | Diverse | Reorder | Top | WithinChars]] = {
    stage.name: stage for stage in (Distinct, Diverse, Reorder, Top, WithinChars)
}
"""The stages that hold nothing but numbers and words."""
MAIN: Mapping[str, str] = {
    "distinct": "closeness",
    "diverse": "weight",
    "reorder": "order",
    "top": "k",
    "within_chars": "chars",
}
"""What a value alone stands for: `top: 4` is `top: {k: 4}`."""

T = TypeVar("T")


def chain_from_data(data: Any, *, at: str = "chain", library: CardLibrary | None = None) -> Chain:
    """The chain that data describes: a list of stages, each `{name: …}`, or its name alone for its defaults.

    Cards that it names, or whose promise it asks for, are in the library; without one, they are ours.
    Encoders and cross-encoders that it names are loaded now.
    """
    return chain_from_parts(data, Parts() if library is None else Parts(library), at=at)


def chain_from_parts(data: Any, parts: Parts, *, at: str = "chain") -> Chain:
    """The same, with whatever it names taken from these parts."""
    if not isinstance(data, list | tuple):
        raise SpecError(
            f"`{at}` must be a list of stages such as `- above: 0.6`, `- top: 4`; got {type(data).__name__}"
        )
    return Chain(tuple(stage_from_data(item, parts, at=f"{at}[{i}]") for i, item in enumerate(data)))


def chain_to_data(chain: Chain) -> list[Any]:
    """The data that describes a chain; a fitted cutoff is written out with its certificate."""
    return [stage_to_data(stage, at=f"chain[{i}]") for i, stage in enumerate(chain.stages)]


def stage_from_data(data: Any, parts: Parts, *, at: str) -> Stage:
    """The stage that one entry of a chain describes."""
    name, settings = _name_and_value(data, at)
    return read_stage(name, settings, parts, at=f"{at}.{name}")


def read_stage(name: str, given: Any, parts: Parts, *, at: str) -> Stage:
    """The stage of this name, with these settings."""
    if name in PLAIN:
        return _plain(PLAIN[name], MAIN[name], given, at)
    return _READERS[name](given, parts, at)


def stage_to_data(stage: Stage, *, at: str) -> Any:
    """`{name: …}`, or the name alone where all is as without saying; only our own stages are data."""
    value = _stage_value(stage, at)
    return stage.name if value == {} else {stage.name: value}


def _name_and_value(data: Any, at: str) -> tuple[str, Any]:
    """A stage's name and its settings; a name alone has none."""
    allowed = (*PLAIN, *_READERS)
    entry = {data: {}} if isinstance(data, str) else data
    if not isinstance(entry, Mapping):
        raise SpecError(f"`{at}` must be a stage such as {{top: 4}}; got {type(data).__name__}")
    if len(entry) != 1:
        names = ", ".join(f"`{key}`" for key in entry) or "none"
        raise SpecError(f"`{at}` must have one stage; got {len(entry)}: {names}; each is an entry of its own")
    ((name, settings),) = entry.items()
    if name not in allowed:
        raise SpecError(f"in `{at}`: {did_you_mean('stage', name, allowed)}")
    return name, settings


def _above(data: Any, parts: Parts, at: str) -> Above:
    if isinstance(data, Mapping) and ("line" in data or "unsure" in data):
        reject_unknown(data, ("line", "unsure"), at)
        unsure = decode(Literal["keep", "drop"], data.get("unsure", "drop"), at=f"{at}.unsure")
        cutoff, at = required_key(data, "line", at), f"{at}.line"
    else:
        cutoff, unsure = data, "drop"
    if isinstance(cutoff, Mapping):
        reject_unknown(
            cutoff, (*CUTOFF_KEYS, *PROMISE_KEYS, *(() if cutoff is not data else ("line", "unsure"))), at
        )
    elif not isinstance(cutoff, str):
        cutoff = decode(float, cutoff, at=at)
    with error_context(at):
        if cutoff == {}:
            raise SpecError("a line is wanted: a number, a card's name, or a promise such as {fpr: 0.05}")
        is_cutoff = isinstance(cutoff, Mapping) and not any(key in cutoff for key in PROMISE_KEYS)
        return above(
            Cutoff.from_data(cutoff) if is_cutoff else parts.library.cutoff_source(cutoff), unsure=unsure
        )


def _tagged(data: Any, parts: Parts, at: str) -> Tagged:
    tags = _mapping(data, at, "{lang: en}")
    with error_context(at):
        return tagged(tags)


def _rerank(data: Any, parts: Parts, at: str) -> Rerank | RerankByPairs:
    options = _mapping(data, at, "{encoder: minilm}")
    reject_unknown(options, ("encoder", "verifier"), at)
    if len(options) == 2:
        raise SpecError(f"`{at}` must name one of `encoder` and `verifier`; got both")
    described = {key: decode(str, item, at=f"{at}.{key}") for key, item in options.items()}
    with error_context(at):
        if "verifier" in described:
            return RerankByPairs(parts.verifier(described["verifier"]), "below")
        return Rerank(parts.encoder(described["encoder"]) if described else None)


def _within_tokens(data: Any, parts: Parts, at: str) -> WithinTokens:
    options = _mapping(data, at, "{tokens: 500, counter: minilm}")
    block_fields = hints_of(Block)
    reject_unknown(options, ("tokens", "counter", "over", *block_fields), at)
    tokens = decode(int, required_key(options, "tokens", at), at=f"{at}.tokens")
    counter = decode(str, required_key(options, "counter", at), at=f"{at}.counter")
    over = decode(hints_of(WithinTokens)["over"], options.get("over", "stop"), at=f"{at}.over")
    formatted = _plain(Block, "tag", {key: item for key, item in options.items() if key in block_fields}, at)
    with error_context(at):
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
        reject_unknown(data, hints, at)
        values = {key: decode(hints[key], item, at=f"{at}.{key}") for key, item in data.items()}
    else:
        values = {main: decode(hints[main], data, at=at)}
    for field in fields(cls):  # type: ignore[arg-type]  # each of ours is a dataclass
        if required(field):
            required_key(values, field.name, at)
    with error_context(at):
        return cls(**values)


def _stage_value(stage: Stage, at: str) -> Any:
    if type(stage) in PLAIN.values():
        value = to_data(stage)
        return value[MAIN[stage.name]] if list(value) == [MAIN[stage.name]] else value
    if isinstance(stage, Above):
        is_number = stage.cutoff == Cutoff(stage.cutoff.value, "above")  # more is known of a fitted one
        cutoff = stage.cutoff.value if is_number else stage.cutoff.to_data()
        return cutoff if stage.unsure == "drop" else {"line": cutoff, "unsure": stage.unsure}
    if isinstance(stage, Tagged):
        return {key: list(values) if len(values) > 1 else values[0] for key, values in stage.wanted.items()}
    if isinstance(stage, Rerank | RerankByPairs):
        return _reranker_value(stage, at)
    if isinstance(stage, WithinTokens):
        return _tokens_value(stage, at)
    raise SpecError(f"`{at}` is a {type(stage).__name__}; only our own stages are data")


def _reranker_value(stage: Rerank | RerankByPairs, at: str) -> dict[str, str]:
    if isinstance(stage, Rerank) and stage.encoder is None:
        return {}
    if isinstance(stage, Rerank) and isinstance(stage.encoder, DescribedEncoder):
        return {"encoder": stage.encoder.described}
    if (
        isinstance(stage, RerankByPairs)
        and isinstance(stage.scorer, DescribedScorer)
        and stage.good == "below"
    ):
        return {"verifier": stage.scorer.described}
    raise SpecError(
        f"`{at}` ranks by a model that was made by hand, which is no data; "
        "one that a chain can write down is made by `Parts().encoder('minilm')`, or by reading a chain"
    )


def _tokens_value(stage: WithinTokens, at: str) -> dict[str, Any]:
    if type(stage.formatted) is not Block:
        raise SpecError(f"`{at}` counts what a function of yours writes, which is no data; wanted a `Block`")
    if not isinstance(stage.counter, TokenCounter):
        raise SpecError(
            f"`{at}` counts tokens with a function of yours, which is no data; "
            "wanted a `token_counter`, such as that of `tokenizer:FILE.json`"
        )
    over = {} if stage.over == "stop" else {"over": stage.over}
    return {
        "tokens": stage.tokens,
        "counter": stage.counter.described,
        **over,
        **to_data(stage.formatted),
    }


def _mapping(data: Any, at: str, example: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise SpecError(f"`{at}` must be a mapping such as {example}; got {type(data).__name__}")
    return data
