"""Tests from a table: a row each; a column is a variable, or what its name with two underscores says.

An assertion in a cell is `contains: Paris`, `similar(0.8): …`, or the plain text that is due.
"""

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from sensecheck.batteries.assertions.checks import OWN_KINDS
from sensecheck.batteries.assertions.registry import KINDS
from sensecheck.batteries.features import TYPES
from sensecheck.batteries.files import Files
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.documents.node import Node, Place

_TYPES: Final = tuple(name for name in (*KINDS, *TYPES) if ":" not in name)
"""What may stand before the colon; those that we do not have are told by who reads assertions."""

_WORDS: Final = frozenset(name for name in OWN_KINDS if name.isalpha())
"""Types of our own that are plain words, which an answer may well be."""
_FORM: Final = re.compile(
    rf"(?P<type>(?:not-)?(?:{'|'.join(sorted(_TYPES, key=len, reverse=True))}))"
    r"(?:\((?P<threshold>\d+(?:\.\d+)?)\))?(?::(?P<value>.*))?",
    re.DOTALL,
)
_BEFORE_COLON: Final = re.compile(r"(?:not-)?([a-z][a-z-]+)(?:\([^)]*\))?:")
_OTHER_NAMES: Final = {"fn": "javascript", "eval": "javascript", "grade": "llm-rubric"}
_THRESHOLDS: Final = {"similar": 0.8, "rouge-n": 0.75, "levenshtein": 0.75}
"""Those that promptfoo has for tables; they differ from those that it has elsewhere."""

_EXPECTED: Final = re.compile(r"__expected\d*")
_OTHER_SEPARATOR: Final = re.compile(r"[;\t]|__expected")
"""What a header shows whose columns are parted by something else."""
_METADATA: Final = "__metadata:"
_CONFIG: Final = re.compile(r"__config:__expected(\d*):threshold")
_PLAIN: Final = ("__prefix", "__suffix", "__description", "__providerOutput", "__metric", "__threshold")
_KNOWN: Final = (*_PLAIN, "__expected", "__expected1", "__metadata:NAME", "__config:__expected:threshold")


def read_table(path: Path, named: Node, files: Files) -> Iterator[Node | BatteryError]:
    """The tests of a table, one by one; a row that cannot be read is reported in its place."""
    reader = csv.reader(files.lines(path, named), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _validate_header(header, Place(str(path), 1))
        begin = reader.line_num + 1
        for cells in reader:
            place, begin = Place(str(path), begin), reader.line_num + 1
            if cells:
                yield _row(header, cells, place)
    except csv.Error as error:
        yield BatteryError(f"{Place(str(path), reader.line_num)}: this is no row of a table: {error}")


def assertion_of(cell: str) -> dict[str, Any]:
    """The assertion that a cell stands for, as plain data; `SpecError` says what is wrong with it."""
    text = cell.strip()
    if text.startswith("file://"):
        return _of_file(text)
    name, colon, rest = text.partition(":")
    if colon and name in _OTHER_NAMES:
        text = f"{_OTHER_NAMES[name]}:{rest}"
    if text.removeprefix("not-") in _WORDS:
        raise SpecError(
            f"`{text}` is a type of assertion and a word; write `{text}:` for the type, "
            f"or `equals: {text}` for the word"
        )
    form = _FORM.fullmatch(text)
    if form is None:
        _reject_mistyped(text)
        return {"type": "equals", "value": text}
    kind = form["type"].removeprefix("not-")
    assertion: dict[str, Any] = {"type": form["type"]}
    value = (form["value"] or "").strip()
    if value or (form["value"] is not None and kind not in _WORDS):
        assertion["value"] = value
    threshold = _THRESHOLDS.get(kind) if form["threshold"] is None else float(form["threshold"])
    return assertion if threshold is None else assertion | {"threshold": threshold}


def _validate_header(header: Sequence[str], place: Place) -> None:
    if not header:
        raise BatteryError(f"{place}: the table is empty; wanted a header")
    for number, name in enumerate(header):
        if not name or name in header[:number]:
            raise BatteryError(
                f"{place}: the header must have names that differ; got `{name}` at {number + 1}"
            )
        if name.startswith("__") and not _is_known(name):
            raise BatteryError(f"{place}: {did_you_mean('special column', name, _KNOWN)}")
        if name.startswith("_") and not name.startswith("__") and _is_known(f"_{name}"):
            raise BatteryError(f"{place}: the column `{name}` begins with one underscore; wanted `_{name}`")
        if not _is_known(name) and _OTHER_SEPARATOR.search(name):
            raise BatteryError(f"{place}: the table must have commas between its columns; got `{name}`")


def _is_known(name: str) -> bool:
    if name.startswith(_METADATA):
        return len(name) > len(_METADATA)
    return name in _PLAIN or bool(_EXPECTED.fullmatch(name) or _CONFIG.fullmatch(name))


def _row(header: Sequence[str], cells: Sequence[str], place: Place) -> Node | BatteryError:
    if len(cells) != len(header):
        return BatteryError(f"{place}: the row has {len(cells)} cells; the header has {len(header)}")
    try:
        return Node.of(_test(dict(zip(header, cells, strict=True))), place)
    except SpecError as error:
        return BatteryError(f"{place}: {error}")


def _test(row: Mapping[str, str]) -> dict[str, Any]:
    test: dict[str, Any] = {"vars": {name: cell for name, cell in row.items() if not name.startswith("__")}}
    if assertions := list(_assertions(row)):
        test["assert"] = assertions
    options = {key: row[f"__{key}"] for key in ("prefix", "suffix") if row.get(f"__{key}")}
    if options:
        test["options"] = options
    if row.get("__description"):
        test["description"] = row["__description"]
    if "__providerOutput" in row:
        test["providerOutput"] = _answer(row["__providerOutput"])
    if row.get("__threshold", "").strip():
        test["threshold"] = _number(row["__threshold"], "__threshold")
    if metadata := dict(_metadata(row)):
        test["metadata"] = metadata
    return test


def _assertions(row: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    columns = [name for name in row if _EXPECTED.fullmatch(name)]
    thresholds = _thresholds(row, columns)
    for name in columns:
        if row[name].strip():
            metric = {"metric": row["__metric"]} if row.get("__metric") else {}
            yield {**assertion_of(row[name]), **thresholds.get(name, {}), **metric}
        elif name in thresholds:
            raise SpecError(f"there is a threshold for the column `{name}`, which is empty")


def _thresholds(row: Mapping[str, str], columns: Sequence[str]) -> dict[str, dict[str, float]]:
    """By the column that they are for, which is counted from one among those of assertions."""
    thresholds: dict[str, dict[str, float]] = {}
    for name, cell in row.items():
        config = _CONFIG.fullmatch(name)
        if config and cell.strip():
            number = int(config[1] or 1)
            if not 1 <= number <= len(columns):
                raise SpecError(f"`{name}` is for a column that is not there")
            thresholds[columns[number - 1]] = {"threshold": _number(cell, name)}
    return thresholds


def _number(cell: str, column: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise SpecError(f"`{column}` must be a number; got `{cell}`")
    return number


def _answer(cell: str) -> str:
    if not cell:
        raise SpecError("the cell under `__providerOutput` is empty; wanted the answer to judge")
    return cell


def _metadata(row: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for name, cell in row.items():
        if name.startswith(_METADATA) and cell.strip():
            key = name.removeprefix(_METADATA)
            if key.endswith("[]"):
                pieces = re.split(r"(?<!\\),", cell)
                yield key.removesuffix("[]"), [piece.strip().replace("\\,", ",") for piece in pieces]
            else:
                yield key, cell


def _of_file(text: str) -> dict[str, Any]:
    if re.search(r"\.py(?::\w+)?$", text):
        return {"type": "python", "value": text}
    if re.search(r"\.[cm]?[jt]s(?::\w+)?$", text):
        return {"type": "javascript", "value": text}
    return {"type": "equals", "value": text}


def _reject_mistyped(text: str) -> None:
    """Plain text is what the answer has to equal; what looks like a mistyped type is not taken for it."""
    before = _BEFORE_COLON.match(text)
    close = before and get_close_matches(before[1], _TYPES, n=1, cutoff=0.8)
    if before and close:
        raise SpecError(
            f"`{before[1]}` is not a known type of assertion; did you mean `{close[0]}`? "
            f"A text that the answer has to equal is written `equals: {text[:40]}`"
        )
