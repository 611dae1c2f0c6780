"""An index in PostgreSQL with pgvector: exact as it is, and fast once `create_index` was called.

References come back from their rows as they were, and filters hold exactly.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.retrieval.filters import Scalar, Wanted, alternatives
from sensecheck.retrieval.indexes.index import IndexEntry, Origin, accepted, accepted_k, unit_vector
from sensecheck.retrieval.match import Match, closeness_from

if TYPE_CHECKING:
    import psycopg

    from sensecheck.retrieval.indexes.pgvector_sql import Cursor, PgVectorDatabase, PgVectorTable

COPY = (
    "COPY pg_temp.sensecheck_incoming (id, text, source, metadata, reference_score, embedding) "
    "FROM STDIN (FORMAT BINARY)"
)
_TYPES = ("text", "text", "text", "text", "float8", "vector")
_MARK = "\ufdd0"
"""A character that Unicode keeps for uses like this one: what follows it stands for another."""
_MARKED = re.compile(f"{_MARK}([0{_MARK}])")
_EXACT = 1e16
"""From here on a float is written with an exponent, which PostgreSQL would give back as an integer."""

BATCH = 5000
_WIDEST_SEARCH = 1000
"""What pgvector takes at most for `hnsw.ef_search`."""


@dataclass(frozen=True, slots=True)
class PgVectorIndex:
    """A table of references with their vectors, in a database that others may use at the same time.

    Should another put the vectors of another encoder in its place, the next search or addition says so.
    """

    database: "PgVectorDatabase"
    table: "PgVectorTable"
    origin: Origin
    ef: int = 100
    """How many candidates a search through the graph keeps in view: more find more, and take longer."""

    def __post_init__(self) -> None:
        if not 1 <= self.ef <= _WIDEST_SEARCH:
            raise SpecError(f"`ef` must be from 1 to {_WIDEST_SEARCH}; got {self.ef}")

    @classmethod
    def open(
        cls,
        dsn: str,
        table: str,
        *,
        encoder: str,
        dimension: int,
        schema: str | None = None,
        ef: int = 100,
    ) -> "PgVectorIndex":
        """The table at an address, made if it is not there; `encoder` is a fingerprint."""
        with extra("pgvector"):
            from sensecheck.retrieval.indexes.pgvector_sql import PgVectorDatabase  # noqa: PLC0415  # an extra
        database = PgVectorDatabase.reached(dsn)
        try:
            return cls._in(database, table, Origin(encoder, dimension), schema=schema, ef=ef)
        except BaseException:
            database.close()
            raise

    @classmethod
    def on(
        cls,
        connection: "psycopg.Connection[Any]",
        table: str,
        *,
        encoder: str,
        dimension: int,
        schema: str | None = None,
        ef: int = 100,
    ) -> "PgVectorIndex":
        """The same on a connection that is there already, and that whoever made it closes."""
        with extra("pgvector"):
            from sensecheck.retrieval.indexes.pgvector_sql import PgVectorDatabase  # noqa: PLC0415  # an extra
        return cls._in(
            PgVectorDatabase.on(connection), table, Origin(encoder, dimension), schema=schema, ef=ef
        )

    @classmethod
    def _in(
        cls, database: "PgVectorDatabase", table: str, origin: Origin, *, schema: str | None, ef: int
    ) -> "PgVectorIndex":
        with extra("pgvector"):
            from sensecheck.retrieval.indexes.pgvector_sql import PgVectorTable, learn_vectors  # noqa: PLC0415
        index = cls(database, PgVectorTable(table, schema), origin, ef)
        with database.transaction() as cursor:
            learn_vectors(cursor)
            index.table.make_ready(cursor, origin)
        return index

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made its vectors."""
        return self.origin.encoder

    def count(self) -> int:
        """How many references it holds."""
        with self.database.transaction(keep=False) as cursor:
            (rows,) = cursor.execute(self.table.count()).fetchone() or (0,)
        return int(rows)

    def add(self, entries: Iterable[IndexEntry]) -> None:
        """Put these in, all or none; an entry whose id is there already takes its place."""
        with extra("pgvector"):
            from sensecheck.retrieval.indexes.pgvector_sql import noting  # noqa: PLC0415  # an extra
        theirs: list[Exception] = []
        stream = noting(entries, theirs)
        with self.database.transaction(theirs=theirs) as cursor:
            self.table.begin_writing(cursor, self.origin)
            while batch := list(islice(stream, BATCH)):
                self._take_in(cursor, accepted(batch, self.origin.dimension))
            cursor.execute("DROP TABLE pg_temp.sensecheck_incoming")

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; of those equally close, by their ids.

        Through the graph it finds nearly all of them (a greater `ef`, more of them), and of many that are
        equally close any `k`. Where the graph gives fewer than `k`, the table is searched whole, so that
        fewer means that there are no more.
        """
        k = accepted_k(k)
        conditions = _conditions(filter)
        query_vector = unit_vector(vector, self.origin.dimension)
        parameters = (query_vector, *(condition for options in conditions for condition in options), k)
        with self.database.transaction(keep=False) as cursor:
            width = min(max(self.ef, k), _WIDEST_SEARCH)
            graph = self.table.begin_search(cursor, self.origin, ef=width)
            rows = cursor.execute(self.table.nearest(conditions, exact=not graph), parameters).fetchall()
            if graph and len(rows) < k:
                cursor.execute("SELECT set_config('enable_indexscan', 'off', true)")
                rows = cursor.execute(self.table.nearest(conditions, exact=True), parameters).fetchall()
        ordered = sorted(rows, key=lambda row: (row[-1], row[0]))
        return [_match_of_row(row, self.origin.encoder) for row in ordered]

    def create_index(
        self, *, m: int = 16, ef_construction: int = 64, memory: str | None = None, workers: int | None = None
    ) -> None:
        """Build the graph: after the bulk of the references is in, because that is many times faster.

        `memory` (such as `4GB`) and `workers` are PostgreSQL's `maintenance_work_mem` and
        `max_parallel_maintenance_workers` for this; None for what the server is set to.
        """
        settings = {"maintenance_work_mem": memory, "max_parallel_maintenance_workers": workers}
        with self.database.transaction() as cursor:
            for name, value in settings.items():
                if value is not None:
                    cursor.execute("SELECT set_config(%s, %s, true)", (name, str(value)))
            self.table.build_graph(
                cursor, m=m, ef_construction=ef_construction, dimension=self.origin.dimension
            )

    def close(self) -> None:
        """End the connection that `open` made; one that was given to `on` stays open."""
        self.database.close()

    def _take_in(self, cursor: "Cursor", entries: list[IndexEntry]) -> None:
        cursor.execute("TRUNCATE pg_temp.sensecheck_incoming")
        with cursor.copy(COPY) as copy:
            copy.set_types(_TYPES)
            for entry in entries:
                copy.write_row(_row_of(entry))
        cursor.execute(self.table.take_in())


def text_of(form: str) -> str:
    """The text that was written so."""
    return _MARKED.sub(lambda match: "\0" if match[1] == "0" else _MARK, form) if _MARK in form else form


def metadata_form(metadata: Mapping[str, Scalar]) -> str:
    """Metadata as JSON; whole floats keep their point, so that they come back as floats."""
    return "{" + ",".join(f"{_quoted(key)}:{_number_or_text(metadata[key])}" for key in metadata) + "}"


def text_form(text: str) -> str:
    """The text with NUL, which no column holds, as two characters that it can."""
    if not text.isascii() or "\0" in text:
        text = text.replace(_MARK, _MARK + _MARK).replace("\0", f"{_MARK}0")
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise SpecError("a text has half of a character (a lone surrogate), which PostgreSQL cannot keep")
    return text


def _conditions(wanted: Wanted | None) -> list[list[str]]:
    """What the metadata must contain: of each list one, as JSON; an empty list is met by nothing."""
    return [
        [
            metadata_form({key: value})
            for value in values
            if not isinstance(value, float) or math.isfinite(value)
        ]
        for key, values in alternatives(wanted or {}).items()
    ]


def _match_of_row(row: tuple[Any, ...], encoder: str) -> Match:
    """The row as a match; its last column is the distance."""
    reference_id, text, source, metadata, score, vector, distance = row
    return Match(
        text_of(text),
        closeness_from(distance, "cosine-distance"),
        text_of(source),
        {
            text_of(key): text_of(value) if isinstance(value, str) else value
            for key, value in metadata.items()
        },
        score,
        encoder,
        id=text_of(reference_id),
        vector=vector.to_numpy(),
    )


def _row_of(entry: IndexEntry) -> tuple[Any, ...]:
    """The entry in the order of `COPY`."""
    reference = entry.reference
    return (
        text_form(reference.id),
        text_form(reference.text),
        text_form(reference.source),
        metadata_form(reference.metadata),
        reference.reference_score,
        entry.vector,
    )


def _quoted(text: str) -> str:
    return json.dumps(text_form(text), ensure_ascii=False)


def _number_or_text(value: Scalar) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    whole = value.is_integer() and abs(value) >= _EXACT
    return f"{Decimal(value):f}.0" if whole else float.__repr__(value)
