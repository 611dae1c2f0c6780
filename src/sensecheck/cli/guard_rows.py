"""What a retriever found, one query a line: read as it comes, strictly, and told with file and line."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sensecheck.cli.inputs import LARGEST, decoded, unreadable
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.evals.documents.json_document import read_json_line
from sensecheck.evals.node import Node, Place
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import Scale, closeness_from

_ROW = ("query", "references", "id")
_REFERENCE = ("text", "closeness", "score", "source", "metadata", "reference_score", "encoder")


@dataclass(frozen=True, slots=True)
class Row:
    """A query and what was found for it."""

    where: str
    """`retrieved.jsonl:3`, for messages."""
    query: str
    matches: tuple[Match, ...]
    measured: bool
    """Whether each match brought its closeness; if not, the encoder has yet to measure it."""
    id: str | int | None = None


def rows_from(path: str, scale: Scale | None) -> Iterator[Row]:
    """Each row of a file, `-` being standard input; `scale` is that of references with a `score`."""
    name = "standard input" if path == "-" else path
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
            for number, line in _lines(file, name):
                yield _row(read_json_line(line, Place(name, number)), f"{name}:{number}", scale)
    except OSError as wrong:
        raise unreadable(f"`{name}`", wrong) from wrong


def one_alone(rows: Iterable[Row]) -> Iterator[Row]:
    """The same, of which there may be one only: of two bare blocks, nobody could tell whose each is."""
    for number, row in enumerate(rows):
        if number:
            raise SpecError(
                f"`--prompt` writes the bare block of one query, and {row.where} holds another; "
                "with `--json`, there is a line for each"
            )
        yield row


def _lines(file: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    number = 0
    while line := file.readline(LARGEST + 1):
        number += 1
        if len(line) > LARGEST:
            raise SampleError(f"{name}:{number}: the line is larger than {LARGEST:,} bytes")
        if line.strip():
            yield number, decoded(line, f"{name}:{number}")


def _row(node: Node, where: str, scale: Scale | None) -> Row:
    held = node.mapping("a row", _ROW)
    query = _wanted(node, held, "query").text("`query`")
    references = _wanted(node, held, "references").items("`references`")
    found = [_reference(one, scale, f"`references[{number}]`") for number, one in enumerate(references)]
    measured = {one for _, one in found}
    if len(measured) > 1:
        raise node.wrong(
            "some references have a closeness and some have none; the ones cannot be ranked among the others"
        )
    return Row(where, query, tuple(match for match, _ in found), measured != {False}, _id(held))


def _id(held: Mapping[str, Node]) -> str | int | None:
    node = _maybe(held, "id")
    if node is None:
        return None
    return node.held if type(node.held) is int else node.text("`id`")


def _reference(node: Node, scale: Scale | None, at: str) -> tuple[Match, bool]:
    """A match, and whether its closeness is known; where it is not, a 0 stands in."""
    if isinstance(node.held, str):
        node = Node({"text": node}, node.place)
    held = node.mapping("a reference", _REFERENCE)
    closeness = _closeness(node, held, scale, at)
    encoder = _maybe(held, "encoder")
    if encoder is not None and closeness is None:
        raise node.wrong("`encoder` says whose closeness it is, and this reference has none")
    more: dict[str, Any] = {}
    if (source := _maybe(held, "source")) is not None:
        more["source"] = source.text("`source`")
    if (metadata := _maybe(held, "metadata")) is not None:
        more["metadata"] = {key: one.plain() for key, one in metadata.entries("`metadata`").items()}
    if (given := _maybe(held, "reference_score")) is not None:
        more["reference_score"] = given.number("`reference_score`")
    if encoder is not None:
        more["encoder"] = encoder.text("`encoder`")
    try:
        text = _wanted(node, held, "text").text("`text`")
        return Match(text, 0.0 if closeness is None else closeness, **more), closeness is not None
    except SampleError as wrong:
        raise node.wrong(str(wrong)) from wrong


def _closeness(node: Node, held: Mapping[str, Node], scale: Scale | None, at: str) -> float | None:
    closeness, score = _maybe(held, "closeness"), _maybe(held, "score")
    if closeness is not None and score is not None:
        raise node.wrong(f"{at} has both `closeness` and `score`; wanted one of them")
    if closeness is not None and scale is not None:
        raise node.wrong(
            f"`--scale` says what a `score` is, and {at} has a `closeness`, which is a cosine already; "
            "wanted a `score`, or no `--scale`"
        )
    if closeness is not None:
        return closeness.number("`closeness`")
    if score is None and scale is None:
        return None
    if score is None:
        raise node.wrong(f"`--scale` was given, and {at} has no `score`")
    if scale is None:
        raise node.wrong(f"{at} has a `score`; `--scale` must say what the store means by it")
    try:
        return closeness_from(score.number("`score`"), scale)
    except SampleError as wrong:
        raise node.wrong(str(wrong)) from wrong


def _wanted(node: Node, held: Mapping[str, Node], key: str) -> Node:
    if key not in held:
        raise node.wrong(f"the key `{key}` is missing")
    return held[key]


def _maybe(held: Mapping[str, Node], key: str) -> Node | None:
    """The value, unless it is not there, or `null`."""
    node = held.get(key)
    return None if node is None or node.held is None else node
