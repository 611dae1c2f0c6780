"""An index in LanceDB: a table in a folder."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import numpy as np

from sensecheck.core.encoder import Vectors
from sensecheck.core.errors import SensecheckError, SpecError, ToolError
from sensecheck.core.extras import extra
from sensecheck.retrieval.indexes.accepted import accepted, accepted_k, unit_vector
from sensecheck.retrieval.indexes.found import Found, matches_of
from sensecheck.retrieval.indexes.index import Entry, kept, reference_of
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.indexes.tags import tags_of, wanted_tags
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import closeness_from
from sensecheck.retrieval.wanted import Wanted

_AT_ONCE = 5_000
"""Rows in one addition, each of which is a version of the table."""
_ORIGIN = b"sensecheck"
_OFTEN = timedelta(0)
"""How old what it knows of the table may be: what others wrote is seen by the next search."""


class LanceIndex:
    """A table whose rows are a reference, its tags and its vector.

    Which encoder made them is looked up by every search, because others may make the table anew.
    """

    def __init__(self, table: Any, origin: Origin, *, with_vectors: bool = True) -> None:
        """`open` makes sure that the table is there, and whose vectors it holds."""
        self._table = table
        self._origin = origin
        self._at = f"the LanceDB table `{table.name}`"
        self._with_vectors = with_vectors

    @classmethod
    def open(
        cls, where: str | Path, table: str, *, encoder: str, dimension: int, with_vectors: bool = True
    ) -> Self:
        """The table in a folder; made if need be."""
        origin = Origin(encoder, dimension)
        with _answering(f"the LanceDB table `{table}`"):
            index = cls(_opened(where, table, origin), origin, with_vectors=with_vectors)
            index._must_be_ours()
        return index

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made its vectors."""
        return self._origin.encoder

    def count(self) -> int:
        """How many references it holds."""
        with _answering(self._at):
            return int(self._table.count_rows())

    def add(self, entries: Iterable[Entry]) -> None:
        """Put these in; an entry whose id is there already takes its place."""
        some = accepted(entries, self._origin.dimension)
        for start in range(0, len(some), _AT_ONCE):
            rows = _rows(some[start : start + _AT_ONCE], self._origin)
            with _answering(self._at):
                self._must_be_ours()
                put = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
                put.execute(rows)

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; fewer where there are fewer."""
        asked = unit_vector(vector, self._origin.dimension)
        whole, tags = accepted_k(k), wanted_tags(filter)
        columns = ["reference", "_distance", *(["vector"] if self._with_vectors else [])]
        with _answering(self._at):
            self._must_be_ours()
            query = self._table.search(asked, vector_column_name="vector").distance_type("cosine")
            if tags:
                query = query.where(_condition(tags), prefilter=True)
            rows = query.limit(whole).select(columns).to_arrow()
        return matches_of(_found(rows), self.encoder)

    def close(self) -> None:
        """Nothing to let go of: LanceDB holds no file open between calls."""

    def _must_be_ours(self) -> None:
        self._origin.must_be_that_of((self._table.schema.metadata or {}).get(_ORIGIN), at=self._at)


@contextmanager
def _answering(at: str) -> Iterator[None]:
    """What LanceDB raises becomes an error of ours; after the first line it tells of its own source."""
    try:
        yield
    except SensecheckError:
        raise
    except (RuntimeError, ValueError, OSError) as problem:
        said = next(iter(str(problem).splitlines()), type(problem).__name__)[:200]
        raise ToolError(f"{at}: LanceDB could not do it: {said}; was it taken away, or moved?") from problem


def _opened(where: str | Path, table: str, origin: Origin) -> Any:
    """Not LanceDB's own open-or-make, which says of another encoder only that the schema differs."""
    with extra("lancedb"):
        import lancedb  # noqa: PLC0415  # an extra
    try:
        folder = lancedb.connect(where, read_consistency_interval=_OFTEN)
    except OSError as problem:
        raise SpecError(f"the LanceDB folder `{where}` cannot be opened: {problem.strerror}") from problem
    try:
        return folder.open_table(table)
    except (ValueError, FileNotFoundError):  # it is not there, or the name is none: making it will tell
        pass
    try:
        return folder.create_table(table, schema=_schema(origin))
    except ValueError as problem:
        raise SpecError(f"the LanceDB table `{table}` cannot be opened: {problem}") from problem


def _schema(origin: Origin) -> Any:
    with extra("lancedb"):
        import pyarrow as pa  # noqa: PLC0415  # an extra
    columns = [
        pa.field("id", pa.string(), nullable=False),
        pa.field("reference", pa.string(), nullable=False),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("vector", pa.list_(pa.float32(), origin.dimension), nullable=False),
    ]
    return pa.schema(columns, metadata={_ORIGIN: origin.written()})


def _rows(entries: Sequence[Entry], origin: Origin) -> Any:
    with extra("lancedb"):
        import pyarrow as pa  # noqa: PLC0415  # an extra
    numbers = pa.array(np.concatenate([entry.vector for entry in entries]))
    columns = {
        "id": [entry.reference.id for entry in entries],
        "reference": [kept(entry.reference) for entry in entries],
        "tags": [tags_of(entry.reference.metadata) for entry in entries],
        "vector": pa.FixedSizeListArray.from_arrays(numbers, origin.dimension),
    }
    return pa.table(columns, schema=_schema(origin))


def _condition(tags: Sequence[Sequence[str]]) -> str:
    """Tags are letters and digits, so that no value can end the quotes around it."""
    listed = (", ".join(f"'{tag}'" for tag in some) for some in tags)
    return " AND ".join(f"array_has_any(tags, [{some}])" for some in listed)


def _found(rows: Any) -> Iterable[Found]:
    references, distances = rows.column("reference").to_pylist(), rows.column("_distance").to_pylist()
    vectors = rows.column("vector").to_pylist() if "vector" in rows.column_names else [None] * len(references)
    for line, distance, vector in zip(references, distances, vectors, strict=True):
        row = None if vector is None else np.asarray(vector, np.float32)
        yield Found(reference_of(line), closeness_from(distance, "cosine-distance"), row)
