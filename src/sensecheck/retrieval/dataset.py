"""Queries and the references that a retriever found for them, read from files one query per line.

Reading is strict: what is wrong is reported with file and line, and keys of other tools with ours.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from json import JSONDecodeError
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sensecheck.core.errors import BatteryError, SampleError, SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.datasets.streams import MAX_TEXT_BYTES, decoded, unreadable
from sensecheck.documents.json import read_json_line
from sensecheck.documents.node import FREE, Node, Place
from sensecheck.retrieval.match import Match, Scale, closeness_from

_ROW = ("query", "references", "id", "item")
_REFERENCE = (
    "text",
    "closeness",
    "score",
    "source",
    "metadata",
    "reference_score",
    "encoder",
    "id",
    "relevant",
)
_EXAMPLE = '{"query": "…", "references": ["…", "…"]}'

_QUERY, _REFERENCES, _TEXT = "here it is `query`", "here it is `references`", "here it is `text`"
_SCORE = "a cosine is `closeness` here; anything else is `score`, and `--scale` says what it is"
_DISTANCE = "here it is `score`, with `--scale cosine-distance`, `l2` or `squared-l2`"
_OF_ROWS = {
    "question": _QUERY,
    "input": _QUERY,
    "user_input": _QUERY,
    "contexts": _REFERENCES,
    "retrieved_contexts": _REFERENCES,
    "context": _REFERENCES,
    "documents": _REFERENCES,
    "passages": _REFERENCES,
    "chunks": _REFERENCES,
}
_OF_REFERENCES = {
    "page_content": _TEXT,
    "content": _TEXT,
    "similarity": _SCORE,
    "distance": _DISTANCE,
}

_MIN_ORDERED = 3
"""References of a list whose order says something."""
_NEARLY_ALL = 0.9


@dataclass(frozen=True, slots=True)
class RetrievalRow:
    """A query and what was found for it."""

    where: str
    """`retrieved.jsonl:3`, for messages."""
    query: str
    matches: tuple[Match, ...]
    measured: bool
    """Whether each match brought its similarity; if not, the encoder has yet to measure it."""
    id: str | int | None = None
    own: Mapping[str, Any] = field(default_factory=dict)
    """What stands under keys of the user's own."""
    owned: tuple[Mapping[str, Any], ...] = ()
    """The same of each reference, with its id as it came; of all of them, or of none."""


def rows_from(path: str, scale: Scale | None) -> Iterator[RetrievalRow]:
    """Each row of a file, `-` being standard input; `scale` is that of references with a `score`."""
    name = "standard input" if path == "-" else path
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
            for number, line in _lines(file, name):
                yield _row(_parsed_line(line, Place(name, number)), f"{name}:{number}", scale)
    except OSError as error:
        raise unreadable(f"`{name}`", error) from error


def rows_of(rows: Iterable[Mapping[str, Any]], scale: Scale | None) -> Iterator[RetrievalRow]:
    """The same of rows that are in memory, as a line of a file would hold them."""
    for number, row in enumerate(rows, 1):
        yield _row(Node.of(row, Place("rows", number)), f"rows:{number}", scale)


def one_alone(rows: Iterable[RetrievalRow]) -> Iterator[RetrievalRow]:
    """The same, of which there may be one only: of two bare blocks, no one could tell whose each is."""
    for number, row in enumerate(rows):
        if number:
            raise SpecError(
                f"`--prompt` writes the bare block of one query, and {row.where} holds another; "
                "with `--json`, there is a line for each"
            )
        yield row


class RetrievedReference(NamedTuple):
    """A match, and what else was said of it."""

    match: Match
    measured: bool
    """Whether its similarity is known; where it is not, a 0 stands in."""
    own: Mapping[str, Any]
    """What is given back as it came: its id, and what stands under keys of the user's own."""


@dataclass(slots=True)
class Rising:
    """Counts as rows come, in the order of the file."""

    lists: int = 0
    rising: int = 0

    def count(self, row: RetrievalRow) -> None:
        """One more row; what is measured here, or too short, says nothing."""
        if not row.measured or len(row.matches) < _MIN_ORDERED:
            return
        given = [match.closeness for match in row.matches]
        self.lists += 1
        self.rising += given == sorted(given) and given[0] < given[-1]

    def doubt(self, scale: Scale | None) -> str | None:
        """What is to be asked, if nearly all lists rise."""
        if not self.lists or self.rising < _NEARLY_ALL * self.lists:
            return None
        found = f"the closest come last in {self.rising:,} of {self.lists:,} queries: "
        if scale is not None:
            return f"{found}is `{scale}` what the store gives?"
        return f"{found}are these distances? give them as `score` with `--scale cosine-distance`"


def _lines(file: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    number = 0
    while line := file.readline(MAX_TEXT_BYTES + 1):
        number += 1
        if len(line) > MAX_TEXT_BYTES:
            raise SampleError(f"{name}:{number}: the line is larger than {MAX_TEXT_BYTES:,} bytes")
        if line.strip():
            yield number, decoded(line, f"{name}:{number}")


def _row(node: Node, where: str, scale: Scale | None) -> RetrievalRow:
    held = _row_keys(node)
    query = _required(node, held, "query").text("`query`")
    nodes = _required(node, held, "references").items("`references`")
    found = [_read_reference(one, scale, f"references[{number}]") for number, one in enumerate(nodes)]
    measured = {one.measured for one in found}
    if len(measured) > 1:
        raise node.error(
            "some references have a similarity and some have none; the ones cannot be ranked among the others"
        )
    if (item := _maybe(held, "item")) is not None:  # for `sensecheck effects`; here every query is by itself
        item.text("`item`")
    return RetrievalRow(
        where,
        query,
        tuple(one.match for one in found),
        measured != {False},
        _id_in(held, "`id`"),
        _own_keys(node),
        tuple(one.own for one in found),
    )


def _row_keys(node: Node) -> Mapping[str, Node]:
    """What a row holds under keys of ours."""
    if not isinstance(node.value, Mapping):
        raise node.error(f"a row must be one JSON object per line, such as {_EXAMPLE}; got {node.kind}")
    return _known(node, "a row", _ROW, _OF_ROWS)


def _known(node: Node, what: str, known: tuple[str, ...], meant: Mapping[str, str]) -> Mapping[str, Node]:
    held = node.mapping(what)
    for key in held:
        if key not in known and key in meant:
            raise node.error(f"`{key}` is not a known key of {what}; {meant[key]}")
        if key not in known:
            raise node.error(did_you_mean(f"key of {what}", key, known))
    return held


def _required(node: Node, held: Mapping[str, Node], key: str) -> Node:
    if key not in held:
        raise node.error(f"the key `{key}` is missing")
    return held[key]


def _read_reference(node: Node, scale: Scale | None, at: str) -> RetrievedReference:
    """The reference that is called `at` in messages; `scale` is that of a `score`."""
    if isinstance(node.value, str):
        node = Node({"text": node}, node.place)
    held = _reference_keys(node, at)
    closeness = _closeness(node, held, scale, at)
    encoder = _maybe(held, "encoder")
    if encoder is not None and closeness is None:
        raise node.error(f"`encoder` says whose similarity it is, and `{at}` has none")
    if (label := _maybe(held, "relevant")) is not None:  # for `sensecheck effects`; no one is guarded by it
        label.truth(f"`{at}.relevant`")
    if "text" not in held:
        raise node.error(f"`{at}` lacks the key `text`")
    more: dict[str, Any] = {}
    if (source := _maybe(held, "source")) is not None:
        more["source"] = source.text(f"`{at}.source`")
    if (metadata := _maybe(held, "metadata")) is not None:
        more["metadata"] = {key: one.plain() for key, one in metadata.entries(f"`{at}.metadata`").items()}
    if (given := _maybe(held, "reference_score")) is not None:
        more["reference_score"] = given.number(f"`{at}.reference_score`")
    if encoder is not None:
        more["encoder"] = encoder.text(f"`{at}.encoder`")
    own = _own_keys(node)
    if (name := _id_in(held, f"`{at}.id`")) is not None:
        more["id"] = str(name)
        own = {"id": name, **own}
    match = Match(held["text"].text(f"`{at}.text`"), 0.0 if closeness is None else closeness, **more)
    return RetrievedReference(match, closeness is not None, own)


def _reference_keys(node: Node, at: str) -> Mapping[str, Node]:
    """What a reference holds under keys of ours."""
    if not isinstance(node.value, Mapping):
        raise node.error(f"`{at}` must be a string or a mapping; got {node.kind}")
    return _known(node, f"`{at}`", _REFERENCE, _OF_REFERENCES)


def _closeness(node: Node, held: Mapping[str, Node], scale: Scale | None, at: str) -> float | None:
    closeness, score = _maybe(held, "closeness"), _maybe(held, "score")
    if closeness is not None and score is not None:
        raise node.error(f"`{at}` has both `closeness` and `score`; wanted one of them")
    if closeness is not None and scale is not None:
        raise node.error(
            f"`--scale` says what a `score` is, and `{at}` has a `closeness`, which is a cosine already; "
            "wanted a `score`, or no `--scale`"
        )
    if closeness is not None:
        return _cosine(closeness, f"`{at}.closeness`")
    if score is None and scale is None:
        return None
    if score is None:
        raise node.error(f"`--scale` was given, and `{at}` has no `score`")
    if scale is None:
        raise node.error(f"`{at}` has a `score`; `--scale` must say what the store means by it")
    try:
        return closeness_from(score.number(f"`{at}.score`"), scale)
    except SampleError as error:
        raise node.error(f"in `{at}`: {error}") from error


def _maybe(held: Mapping[str, Node], key: str) -> Node | None:
    """The value, unless it is not there, or `null`."""
    node = held.get(key)
    return None if node is None or node.value is None else node


def _cosine(node: Node, what: str) -> float:
    found = node.number(what)
    if not -1 <= found <= 1:
        raise node.error(
            f"{what} must be a cosine, from -1 to 1; got {found}; what a store gives instead is called "
            "`score`, and `--scale` says what it is"
        )
    return found


def _own_keys(node: Node) -> dict[str, Any]:
    """What stands under keys of the user's own: it means nothing here, and is written out as it came."""
    held = node.value if isinstance(node.value, Mapping) else {}
    return {key: one.plain() for key, one in held.items() if key.startswith(FREE)}


def _id_in(held: Mapping[str, Node], what: str) -> str | int | None:
    """A text or a whole number, if there is one."""
    node = _maybe(held, "id")
    if node is None:
        return None
    return node.value if type(node.value) is int else node.text(what)


def _parsed_line(line: str, place: Place) -> Node:
    """What a line holds; where its JSON breaks off is told by the column in the file."""
    try:
        return read_json_line(line, place)
    except BatteryError as error:
        broken = error.__cause__ and error.__cause__.__cause__
        if not isinstance(broken, JSONDecodeError):
            raise
        raise BatteryError(
            f"{replace(place, column=broken.pos + 1)}: the line is not JSON: {broken.msg}; "
            f"wanted one JSON object a line, such as {_EXAMPLE}"
        ) from error
