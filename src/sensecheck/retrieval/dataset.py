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

_ROW_KEYS = ("query", "references", "id", "item")
_REFERENCE_KEYS = (
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
_CONTEXTS = ("contexts", "retrieved_contexts", "context", "documents", "passages", "chunks")
_ROW_HINTS = {
    **dict.fromkeys(("question", "input", "user_input"), _QUERY),
    **dict.fromkeys(_CONTEXTS, _REFERENCES),
}
_REFERENCE_HINTS = {
    **dict.fromkeys(("page_content", "content"), _TEXT),
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
        similarities = [match.closeness for match in row.matches]
        self.lists += 1
        self.rising += similarities == sorted(similarities) and similarities[0] < similarities[-1]

    def doubt(self, scale: Scale | None) -> str | None:
        """What is to be asked, if nearly all lists rise."""
        if not self.lists or self.rising < _NEARLY_ALL * self.lists:
            return None
        summary = f"the closest come last in {self.rising:,} of {self.lists:,} queries: "
        if scale is not None:
            return f"{summary}is `{scale}` what the store gives?"
        return f"{summary}are these distances? give them as `score` with `--scale cosine-distance`"


def _lines(file: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    number = 0
    while line := file.readline(MAX_TEXT_BYTES + 1):
        number += 1
        if len(line) > MAX_TEXT_BYTES:
            raise SampleError(f"{name}:{number}: the line is larger than {MAX_TEXT_BYTES:,} bytes")
        if line.strip():
            yield number, decoded(line, f"{name}:{number}")


def _row(node: Node, where: str, scale: Scale | None) -> RetrievalRow:
    if not isinstance(node.value, Mapping):
        raise node.error(f"a row must be one JSON object per line, such as {_EXAMPLE}; got {node.kind}")
    entries = _checked_entries(node, "a row", _ROW_KEYS, _ROW_HINTS)
    for key in ("query", "references"):
        if key not in entries:
            raise node.error(f"the key `{key}` is missing")
    query, nodes = entries["query"].text("`query`"), entries["references"].items("`references`")
    references = [_read_reference(entry, scale, f"references[{at}]") for at, entry in enumerate(nodes)]
    measured = {reference.measured for reference in references}
    if len(measured) > 1:
        raise node.error(
            "some references have a similarity and some have none; the ones cannot be ranked among the others"
        )
    # For `sensecheck effects`; here every query is by itself.
    if (item := _optional(entries, "item")) is not None:
        item.text("`item`")
    return RetrievalRow(
        where,
        query,
        tuple(reference.match for reference in references),
        measured != {False},
        _id_in(entries, "`id`"),
        _user_keys(node),
        tuple(reference.own for reference in references),
    )


def _checked_entries(
    node: Node, what: str, allowed: tuple[str, ...], hints: Mapping[str, str]
) -> Mapping[str, Node]:
    """The entries of a row or a reference, whose keys must all be known."""
    entries = node.mapping(what)
    for key in entries:
        if key not in allowed and key in hints:
            raise node.error(f"`{key}` is not a known key of {what}; {hints[key]}")
        if key not in allowed:
            raise node.error(did_you_mean(f"key of {what}", key, allowed))
    return entries


def _read_reference(node: Node, scale: Scale | None, at: str) -> RetrievedReference:
    """The reference; messages call it `at`, and `scale` is that of a `score`."""
    if isinstance(node.value, str):
        node = Node({"text": node}, node.place)
    if not isinstance(node.value, Mapping):
        raise node.error(f"`{at}` must be a string or a mapping; got {node.kind}")
    entries = _checked_entries(node, f"`{at}`", _REFERENCE_KEYS, _REFERENCE_HINTS)
    closeness = _closeness(node, entries, scale, at)
    encoder = _optional(entries, "encoder")
    if encoder is not None and closeness is None:
        raise node.error(f"`encoder` says whose similarity it is, and `{at}` has none")
    # For `sensecheck effects`; guards do not read it.
    if (label := _optional(entries, "relevant")) is not None:
        label.truth(f"`{at}.relevant`")
    if "text" not in entries:
        raise node.error(f"`{at}` lacks the key `text`")
    details: dict[str, Any] = {}
    if (source := _optional(entries, "source")) is not None:
        details["source"] = source.text(f"`{at}.source`")
    if (metadata := _optional(entries, "metadata")) is not None:
        details["metadata"] = {
            key: value.plain() for key, value in metadata.entries(f"`{at}.metadata`").items()
        }
    if (score := _optional(entries, "reference_score")) is not None:
        details["reference_score"] = score.number(f"`{at}.reference_score`")
    if encoder is not None:
        details["encoder"] = encoder.text(f"`{at}.encoder`")
    user_keys = _user_keys(node)
    if (reference_id := _id_in(entries, f"`{at}.id`")) is not None:
        details["id"] = str(reference_id)
        user_keys = {"id": reference_id, **user_keys}
    match = Match(entries["text"].text(f"`{at}.text`"), 0.0 if closeness is None else closeness, **details)
    return RetrievedReference(match, closeness is not None, user_keys)


def _closeness(node: Node, entries: Mapping[str, Node], scale: Scale | None, at: str) -> float | None:
    closeness, score = _optional(entries, "closeness"), _optional(entries, "score")
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


def _optional(entries: Mapping[str, Node], key: str) -> Node | None:
    """The value of a key; None where it is missing or `null`."""
    node = entries.get(key)
    return None if node is None or node.value is None else node


def _cosine(node: Node, what: str) -> float:
    cosine = node.number(what)
    if not -1 <= cosine <= 1:
        raise node.error(
            f"{what} must be a cosine, from -1 to 1; got {cosine}; what a store gives instead is called "
            "`score`, and `--scale` says what it is"
        )
    return cosine


def _user_keys(node: Node) -> dict[str, Any]:
    """The values of the user's own keys: they mean nothing here, and are written out unchanged."""
    values = node.value if isinstance(node.value, Mapping) else {}
    return {key: value.plain() for key, value in values.items() if key.startswith(FREE)}


def _id_in(entries: Mapping[str, Node], what: str) -> str | int | None:
    """A text or a whole number, if there is one."""
    node = _optional(entries, "id")
    if node is None:
        return None
    return node.value if type(node.value) is int else node.text(what)


def _parsed_line(line: str, place: Place) -> Node:
    """The value of a line; an error in its JSON names the column in the file."""
    try:
        return read_json_line(line, place)
    except BatteryError as error:
        cause = error.__cause__ and error.__cause__.__cause__
        if not isinstance(cause, JSONDecodeError):
            raise
        raise BatteryError(
            f"{replace(place, column=cause.pos + 1)}: the line is not JSON: {cause.msg}; "
            f"wanted one JSON object a line, such as {_EXAMPLE}"
        ) from error
