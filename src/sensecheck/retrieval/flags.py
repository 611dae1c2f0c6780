"""The chain of guards that a command line asks for: from a YAML or JSON file, or from short flags."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import to_data
from sensecheck.documents.node import Mistakes, Node
from sensecheck.documents.reading import read_path
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.parts import Parts
from sensecheck.retrieval.prompt import Block, Empty, Format
from sensecheck.retrieval.spec import read_stage, stage_from_data
from sensecheck.retrieval.stage import Stage
from sensecheck.retrieval.stages.limits import WithinTokens

_COUNTER = "minilm"

Entry = tuple[str, str, Any]
"""A flag, the name of its stage, and the stage's settings."""


@dataclass(frozen=True, slots=True)
class ChainFlags:
    """The short flags, in the order of their stages: duplicates go before the first K are taken."""

    above: str | None = None
    distinct: float | None = None
    top: int | None = None
    chars: int | None = None
    tokens: int | None = None
    counter: str | None = None
    empty: Empty | None = None
    """What the block of a prompt is where nothing is left; it counts among the tokens."""

    def __post_init__(self) -> None:
        if self.counter is not None and self.tokens is None:
            raise SpecError("`--tokenizer` counts `--max-tokens`, and there is no such budget")

    @property
    def block(self) -> Block:
        """What stands in the prompt, and so what tokens are counted in."""
        return Block() if self.empty is None else Block(empty=self.empty)

    def entries(self) -> Iterator[Entry]:
        """Each flag that was given."""
        if self.above is not None:
            yield "--min-similarity", "above", _number_or_card(self.above)
        if self.distinct is not None:
            yield "--dedupe", "distinct", self.distinct
        if self.top is not None:
            yield "--top-k", "top", self.top
        if self.chars is not None:
            yield "--max-chars", "within_chars", self.chars
        if self.tokens is not None:
            counter = _COUNTER if self.counter is None else self.counter
            settings = {"tokens": self.tokens, "counter": counter, **to_data(self.block)}
            yield "--max-tokens", "within_tokens", settings


def chosen_chain(file: Path | None, short: ChainFlags, parts: Parts, cards: Path) -> Chain:
    """The chain of the file, or of the flags; not of both, whose order no one could tell.

    `cards` is the folder in which cards of one's own lie.
    """
    entries = list(short.entries())
    if file is None:
        return Chain(tuple(_guard_stage(entry, parts, cards) for entry in entries))
    if entries:
        flags = ", ".join(f"`{flag}`" for flag, *_ in entries)
        raise SpecError(f"`--chain` brings all guards; got {flags} alongside it; write them into the file")
    chain = _read_chain(file, parts)
    if short.empty is not None and _counted(chain):
        raise SpecError(
            f"`--empty` was given, and `within_tokens` in `{file}` counts a block of its own, which is "
            f"what is written; write `empty: {short.empty}` there"
        )
    return chain


def block_of(chain: Chain, short: ChainFlags) -> Format:
    """What makes the block of a prompt: that in which the chain's last budget counted tokens, if any did."""
    counted = _counted(chain)
    return counted[-1] if counted else short.block


def _number_or_card(text: str) -> float | str:
    """A number, or else the name of a card."""
    try:
        return float(text)
    except ValueError:
        return text


def _guard_stage(entry: Entry, parts: Parts, cards: Path) -> Stage:
    """The stage of a flag; a missing card is reported with the folder of the user's own cards."""
    flag, name, value = entry
    if not isinstance(value, str) or value in parts.library.names():
        return read_stage(name, value, parts, at=flag)
    if value.endswith(".json") and (path := Path(value)).is_file():
        message = f"`{flag}` names a card, and `{value}` is a file; write `{flag} {path.stem}`"
        lies_there = path.parent.resolve() == cards.resolve()
        raise SpecError(message if lies_there else f"{message}, and SENSECHECK_CARDS={path.parent} before it")
    try:
        return read_stage(name, value, parts, at=flag)
    except SpecError as error:
        note = "" if cards.is_dir() else ", which is not there"
        raise SpecError(
            f"{error}; cards of your own lie in `{cards}`{note}; SENSECHECK_CARDS names another folder"
        ) from error


def _read_chain(path: Path, parts: Parts) -> Chain:
    """The chain that a file describes; what it names is among the parts."""
    mistakes = Mistakes()
    stages = [
        mistakes.noting(lambda: _stage(node, f"chain[{index}]", parts), None)  # noqa: B023 - called now
        for index, node in enumerate(read_path(path).items("a chain"))
    ]
    mistakes.raise_if_any()
    return Chain(tuple(stage for stage in stages if stage is not None))


def _stage(node: Node, at: str, parts: Parts) -> Stage:
    try:
        return stage_from_data(node.plain(), parts, at=at)
    except SpecError as error:
        raise node.error(str(error)) from error


def _counted(chain: Chain) -> list[Format]:
    return [stage.formatted for stage in chain.stages if isinstance(stage, WithinTokens)]
