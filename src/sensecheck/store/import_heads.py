"""The test runs of a source, and the tests that they belong to."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, func, or_, select

from sensecheck.core.errors import SampleError
from sensecheck.store.import_shape import PAIR, RUN, SEMANTIC, Shape
from sensecheck.store.import_source import Row, Shelf, Source
from sensecheck.store.moments import in_utc

TEST_RUNS = ("test_runs", "test_run", "eval_runs", "runs")
TESTS = ("tests", "test", "test_configs")
_STARTED = ("started_at", "start_time", "created_at")
_CONFIGS = ("config", "configuration", "settings", "embedding_config", "generation_config")
EMBEDDING = ("embedding_model", "embedding_model_name", "embedding_provider", "embedding_dimensions")
GENERATION = (
    "generation_model",
    "generation_model_name",
    "generation_provider",
    "llm_model",
    "model",
    "model_name",
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "chunk_size",
    "chunk_overlap",
)
"""What is taken of a test's configuration, and nothing else: keys and passwords may lie beside it."""


@dataclass(frozen=True, slots=True)
class Head:
    """A test run of the source: all that is known of it but its evaluations."""

    id: str
    value: object
    """The id as the source has it."""
    size: int
    compared: int
    """How many of its evaluations have a semantic similarity."""
    started_at: datetime | None
    name: str = ""
    test: str | None = None
    embedding: Mapping[str, Any] = field(default_factory=dict)
    generation: Mapping[str, Any] = field(default_factory=dict)

    @property
    def encoder(self) -> str | None:
        """What the test's configuration calls its encoder."""
        named = (self.embedding.get(key) for key in EMBEDDING[:2])
        return next((str(name) for name in named if name), None)


def heads_of(source: Source, shape: Shape) -> list[Head]:
    """All test runs that have evaluations, the oldest first."""
    _must_have_ids(source, shape)
    runs, tests = (
        _by_id(source, source.shelf(*TEST_RUNS), RUN),
        _by_id(source, source.shelf(*TESTS), "test_id"),
    )
    found = [_head(row, runs, tests) for row in _counted(source, shape)]
    latest = datetime.max.replace(tzinfo=UTC)
    return sorted(found, key=lambda head: (head.started_at or latest, head.id))


def without_evaluations(source: Source, heads: list[Head]) -> int:
    """How many test runs of the source have none."""
    known = {head.id for head in heads}
    return sum(name not in known for name in _by_id(source, source.shelf(*TEST_RUNS), RUN))


def moment_of(value: object) -> datetime | None:
    """A moment as databases keep it: their own type, ISO 8601 in text, or seconds since 1970; else None."""
    if isinstance(value, datetime):
        return in_utc(value)
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        return in_utc(datetime.fromisoformat(value)) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None


def _must_have_ids(source: Source, shape: Shape) -> None:
    for name in (RUN, PAIR):
        held = shape.shelf.value(name)
        query = select(func.count().label("lost")).select_from(shape.shelf.source)
        (found,) = source.rows(query.where(or_(held.is_(None), cast(held, Text) == "")))
        if lost := found["lost"]:
            raise SampleError(f"the table `evals` has {lost} rows without a `{name}`; give them one")


def _counted(source: Source, shape: Shape) -> Iterator[Row]:
    shelf = shape.shelf
    run = shelf.value(RUN)
    columns: list[ColumnElement[Any]] = [run.label(RUN), func.count().label("size")]
    if SEMANTIC in shelf.columns:
        columns.append(func.count(shelf.value(SEMANTIC)).label("compared"))
    if shape.moment:
        columns.append(func.min(shelf.value(shape.moment)).label("started"))
    return source.rows(select(*columns).select_from(shelf.source).group_by(run))


def _head(row: Row, runs: Mapping[str, Row], tests: Mapping[str, Row]) -> Head:
    run = runs.get(str(row[RUN]), {})
    test = tests.get(str(run.get("test_id")), {})
    moments = (moment_of(value) for value in (*map(run.get, _STARTED), row.get("started")))
    settings = {**_settings(run), **_settings(test)}
    return Head(
        str(row[RUN]),
        row[RUN],
        row["size"],
        row.get("compared", 0),
        next((moment for moment in moments if moment is not None), None),
        str(run.get("name") or ""),
        str(test["name"]) if test.get("name") else None,
        {key: settings[key] for key in EMBEDDING if key in settings},
        {key: settings[key] for key in GENERATION if key in settings},
    )


def _by_id(source: Source, shelf: Shelf | None, other: str) -> dict[str, Row]:
    """The rows of a table by their id, with those columns that are understood; {} where it has none."""
    key = next((name for name in ("id", other) if shelf is not None and name in shelf.columns), None)
    if shelf is None or key is None:
        return {}
    wanted = dict.fromkeys((key, "test_id", "name", *_STARTED, *_CONFIGS, *EMBEDDING, *GENERATION))
    query = shelf.chosen([name for name in wanted if name in shelf.columns])
    return {str(row[key]): row for row in source.rows(query)}


def _settings(row: Row) -> dict[str, Any]:
    """The configuration in a row: in columns of its own, or as JSON in one of them."""
    found: dict[str, Any] = {}
    for name in _CONFIGS:
        held, about = _json(row.get(name)), name.removesuffix("_config")
        found |= held if about in ("config", "configuration", "settings") else _about(about, held)
        for part in ("embedding", "generation"):
            found |= _about(part, held.get(part))
    found |= {key: row[key] for key in (*EMBEDDING, *GENERATION) if row.get(key) is not None}
    return {key: value for key, value in found.items() if _is_plain(value)}


def _about(part: str, held: object) -> dict[str, Any]:
    """`{"model": "m"}` about the embedding is its `embedding_model`."""
    if not isinstance(held, Mapping):
        return {}
    named = {str(key): value for key, value in held.items()}
    full = {key if key.startswith(part) else f"{part}_{key}": value for key, value in named.items()}
    return full | (named if part == "generation" else {})


def _json(value: object) -> Mapping[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, Mapping) else {}


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
