"""What a retriever found, one query a line: read as it comes, strictly, and told with file and line."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from json import JSONDecodeError
from pathlib import Path
from typing import Any, BinaryIO

from sensecheck.cli.guard_keys import EXAMPLE, own_keys, row_keys
from sensecheck.cli.guard_reference import id_in, maybe, read_reference
from sensecheck.cli.inputs import LARGEST, decoded, unreadable
from sensecheck.core.errors import BatteryError, SampleError, SpecError
from sensecheck.evals.documents.json_document import read_json_line
from sensecheck.evals.node import Node, Place
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import Scale


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
    own: Mapping[str, Any] = field(default_factory=dict)
    """What stands under keys of the user's own."""
    owned: tuple[Mapping[str, Any], ...] = ()
    """The same of each reference, with its id as it came; of all of them, or of none."""


def rows_from(path: str, scale: Scale | None) -> Iterator[Row]:
    """Each row of a file, `-` being standard input; `scale` is that of references with a `score`."""
    name = "standard input" if path == "-" else path
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
            for number, line in _lines(file, name):
                yield _row(_read(line, Place(name, number)), f"{name}:{number}", scale)
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


def _read(line: str, place: Place) -> Node:
    """What a line holds; where its JSON breaks off is told by the column in the file."""
    try:
        return read_json_line(line, place)
    except BatteryError as wrong:
        broken = wrong.__cause__ and wrong.__cause__.__cause__
        if not isinstance(broken, JSONDecodeError):
            raise
        raise BatteryError(
            f"{replace(place, column=broken.pos + 1)}: the line is not JSON: {broken.msg}; "
            f"wanted one JSON object a line, such as {EXAMPLE}"
        ) from wrong


def _row(node: Node, where: str, scale: Scale | None) -> Row:
    held = row_keys(node)
    query = _wanted(node, held, "query").text("`query`")
    nodes = _wanted(node, held, "references").items("`references`")
    found = [read_reference(one, scale, f"references[{number}]") for number, one in enumerate(nodes)]
    measured = {one.measured for one in found}
    if len(measured) > 1:
        raise node.wrong(
            "some references have a closeness and some have none; the ones cannot be ranked among the others"
        )
    if (item := maybe(held, "item")) is not None:  # for `sensecheck effects`; here every query is by itself
        item.text("`item`")
    return Row(
        where,
        query,
        tuple(one.match for one in found),
        measured != {False},
        id_in(held, "`id`"),
        own_keys(node),
        tuple(one.own for one in found),
    )


def _wanted(node: Node, held: Mapping[str, Node], key: str) -> Node:
    if key not in held:
        raise node.wrong(f"the key `{key}` is missing")
    return held[key]
