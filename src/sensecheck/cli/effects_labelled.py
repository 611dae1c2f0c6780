"""Labelled retrievals from a file, as strict as it is easy to write: a file for `guard` will do."""

from collections.abc import Mapping
from typing import Any

from sensecheck.cli.labelled_rows import WORDS, label_of
from sensecheck.cli.rows import Row, Rows
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import from_data
from sensecheck.retrieval.effects.labelled import LabelledRow
from sensecheck.retrieval.scales import Scale, closeness_from

ALL = "all"
"""The item of every row, where none names one."""


def labelled_rows(path: str, scale: Scale | None = None) -> tuple[str, list[LabelledRow]]:
    """What a file of labelled retrievals is called, and its rows; `scale` is that of a `score`."""
    rows = Rows.of(path)
    read = [_read(row, scale) for row in rows.rows]
    named = [row.where for row in rows.rows if row.values.get("item") is not None]
    bare = [row.where for row in rows.rows if row.values.get("item") is None]
    if named and bare:
        raise SampleError(f"{bare[0]} has no `item`, and {named[0]} has one; wanted one in each row, or none")
    return rows.name, read


def _read(row: Row, scale: Scale | None) -> LabelledRow:
    """The row; what is wrong with it is told with its line."""
    try:
        values = _own(row.values)
        if values.get("item") is None:
            values["item"] = ALL
        if isinstance(values.get("references"), list):
            values["references"] = [
                _reference(one, scale, f"row.references[{number}]")
                for number, one in enumerate(values["references"])
            ]
        return from_data(LabelledRow, values, at="row")
    except (SpecError, SampleError) as wrong:
        raise SampleError(f"{row.where}: {wrong}") from wrong


def _own(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what somebody wrote for themselves, whose names begin with `x-`."""
    return {key: value for key, value in values.items() if not key.startswith("x-")}


def _reference(given: Any, scale: Scale | None, at: str) -> Any:
    """As a labelled reference is read; a text alone is one without a label."""
    if isinstance(given, str):
        given = {"text": given}
    if not isinstance(given, dict):
        return given
    held = _own(given)
    if type(held.get("id")) is int:
        held["id"] = str(held["id"])
    held["relevant"] = _label(held.get("relevant"), at)
    for key in ("source", "metadata"):  # `null` is what is not there
        if held.get(key, "") is None:
            del held[key]
    return _on_scale(held, scale, at)


def _label(found: Any, at: str) -> bool | None:
    if found is None:
        return None
    label = label_of(found)
    if label is None:
        raise SampleError(f"`{at}.relevant` wants {WORDS}; found `{str(found)[:20]}`")
    return label


def _on_scale(held: dict[str, Any], scale: Scale | None, at: str) -> dict[str, Any]:
    """The same with a closeness for its score."""
    score, closeness = held.pop("score", None), held.get("closeness")
    if closeness is not None and (score is not None or scale is not None):
        other = "a `score` too" if score is not None else "`--scale` says what a `score` is"
        raise SampleError(f"`{at}` has a `closeness`, which is a cosine already, and {other}; wanted one")
    if score is None:
        if scale is not None:
            raise SampleError(f"`--scale` was given, and `{at}` has no `score`")
        return held
    if scale is None:
        raise SampleError(f"`{at}` has a `score`; `--scale` must say what the store means by it")
    return held | {"closeness": closeness_from(score, scale)}
