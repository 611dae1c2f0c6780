"""From addresses to the plan of a run: the files that they name, their columns, rows and pieces, and shards.

Nothing is read but what files say of themselves, and the first lines of some of them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from sensecheck.core.backends import Backends
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.execution.json_batches import blocks_of, object_in
from sensecheck.execution.location import is_url, looked_into, opened
from sensecheck.execution.parquet_batches import ParquetHead, parquet_head
from sensecheck.execution.plan import (
    PLAN_FILE,
    WANTED,
    ColumnKind,
    Format,
    Input,
    InputPiece,
    RunPlan,
    fits,
    kinds_of,
    plain_type,
)
from sensecheck.execution.tasks import RESULTS_FOLDER
from sensecheck.io.objectstore import store_errors
from sensecheck.tables.order import TableOrder

FORMATS: Mapping[str, Format] = {".parquet": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}
MARKS = ("ETag", "etag", "generation", "md5Hash", "content_md5", "LastModified", "last_modified", "mtime")
"""What stores and disks say of a file that changes with it, the surest first."""
RESULTS = f"{RESULTS_FOLDER}/"
"""Beside the plan of a run: these files are no rows of another one."""
SMALLEST_PIECE, LARGEST_PIECE = 16 * 2**20, 512 * 2**20
"""Bytes of a piece."""
MAX_PIECES = 512
"""That a run is parted into before its pieces grow: each shard may have to look into each of them."""
SAMPLE_FILES = 16
SAMPLE_LINES = 1000
SHARD_ROWS = 50_000
"""Rows of a shard of a large run."""
MIN_SHARD_ROWS, SHARDS = 2_000, 16
"""A smaller run is parted too, so that several workers have work; not into fewer rows than these."""
MAX_SHARD_ROWS, MOST_SHARDS = 500_000, 2_000
"""A much larger run has larger shards, so that whoever drives it can hold the list of all their parts."""
SHARD_FILL = 0.75
"""How full shards are meant to be: chance gives some buckets more rows, which should still be one shard."""


def plan_run(
    order: TableOrder,
    readers: Mapping[str, str],
    addresses: Sequence[str],
    *,
    shard_rows: int | None = None,
    carried: Sequence[str] = (),
    piece_bytes: int | None = None,
) -> RunPlan:
    """The plan for some inputs: the same whenever they are the same, be it for 100 rows or 10^9."""
    inputs = inputs_of(addresses)
    require_readable(inputs)
    rows = rows_expected(inputs)
    rows_per_shard = suited_rows(rows) if shard_rows is None else shard_rows
    if rows_per_shard < 1:
        raise SpecError(f"`shard_rows` must be at least 1; got {rows_per_shard}")
    plan = RunPlan(
        order=order,
        readers=dict(readers),
        inputs=inputs,
        pieces=pieces_of(inputs, piece_bytes),
        buckets=max(1, math.ceil(rows / (SHARD_FILL * rows_per_shard))),
        shard_rows=rows_per_shard,
        carried=tuple(carried),
    )
    _require_columns(inputs, kinds_of(plan))
    if not rows:
        raise SpecError("the inputs hold no rows, so that nothing could be assessed")
    return plan


def suited_rows(rows: int) -> int:
    """Rows of a shard when no one said how many: a matter of the inputs alone, not of who works on them."""
    max_rows = min(max(math.ceil(rows / MOST_SHARDS), SHARD_ROWS), MAX_SHARD_ROWS)
    return min(max(math.ceil(rows / SHARDS), MIN_SHARD_ROWS), max_rows)


def inputs_of(addresses: Sequence[str]) -> tuple[Input, ...]:
    """All files that the addresses name, each once, those of an address sorted by name."""
    inputs_by_address: dict[str, Input] = {}
    for address in addresses:
        for source in _files_at(address):
            inputs_by_address.setdefault(source.address, source)
    if not inputs_by_address:
        raise SpecError("no file of rows was named; name Parquet files or JSON lines, or a folder of them")
    return tuple(inputs_by_address.values())


def input_at(address: str) -> Input:
    """A single file, as it is now."""
    store, path = opened(address)
    store.invalidate_cache()
    return _input(store, path, store.info(path))


def columns_of(inputs: Sequence[Input]) -> tuple[str, ...]:
    """The names of all columns, as they are met; of JSON lines only a few are looked at."""
    names: dict[str, None] = {}
    for head in _heads(inputs):
        names.update(dict.fromkeys(head.columns))
    for lines in _samples(inputs):
        for line in lines:
            names.update(dict.fromkeys(object_in(line) or ()))
    return tuple(names)


def rows_expected(inputs: Sequence[Input]) -> int:
    """How many rows there are; JSON lines are taken to be as long as the few that are looked at."""
    parquet_rows = sum(group.rows for head in _heads(inputs) for group in head.row_groups)
    size = sum(source.size for source in inputs if source.format == "jsonl")
    lengths = [len(line) + 1 for lines in _samples(inputs) for line in lines]
    return parquet_rows + (math.ceil(size * len(lengths) / sum(lengths)) if lengths else 0)


def pieces_of(inputs: Sequence[Input], piece_bytes: int | None = None) -> tuple[InputPiece, ...]:
    """Parts of inputs, each for one worker; an input that cannot be opened is one without rows."""
    total = sum(source.size for source in inputs)
    size = piece_bytes or min(max(total // MAX_PIECES, SMALLEST_PIECE), LARGEST_PIECE)
    pieces: list[InputPiece] = []
    for number, source in enumerate(inputs):
        ranges = _byte_ranges(source.size, size) if source.format == "jsonl" else _group_ranges(source, size)
        pieces += (InputPiece(number, start, stop) for start, stop in ranges)
    return tuple(pieces)


def head_of(given: Input) -> ParquetHead | None:
    """What a Parquet file says of itself; None for one that cannot be opened."""
    try:
        return parquet_head(given)
    except (SampleError, OSError):
        return None


def require_readable(inputs: Sequence[Input]) -> None:
    """Raise where not a single input can be opened."""
    errors = []
    for source in inputs:
        try:
            if source.format == "jsonl" or parquet_head(source):
                return
        except (SampleError, OSError) as error:
            errors.append(str(error))
    raise SpecError(f"not one of the inputs can be opened; the first: {errors[0]}")


def fingerprints_of(answerers: Backends) -> dict[str, str]:
    """The fingerprint of each one that is there."""
    backends = {"encoder": answerers.encoder, "verifier": answerers.pairs, "judge": answerers.judge}
    return {name: backend.fingerprint for name, backend in backends.items() if backend is not None}


def require_backends(answerers: Backends, planned: Mapping[str, str]) -> None:
    """Raise where a worker has got someone else than the run was begun with."""
    for name, fingerprint in fingerprints_of(answerers).items():
        expected = planned.get(name)
        if fingerprint != expected:
            raise SpecError(
                f"the {name} of a worker is `{fingerprint}`, and the run needs `{expected}`; give all "
                "machines the same weights and settings"
            )


def _require_columns(inputs: Sequence[Input], kinds: Mapping[str, ColumnKind]) -> None:
    """Raise for a column that is nowhere, or that is not in a Parquet file as it should be."""
    names = columns_of(inputs)
    for column in kinds:
        if column not in names:
            raise SpecError(f"in the first rows of the inputs: {did_you_mean('column', column, names)}")
    types: dict[str, tuple[object, str]] = {}
    for source in inputs:
        if source.format == "parquet" and (head := head_of(source)):
            for column, kind in kinds.items():
                _require_kind(source, head.columns, column, kind, types)


def _require_kind(
    source: Input,
    columns: Mapping[str, object],
    column: str,
    kind: ColumnKind,
    types: dict[str, tuple[object, str]],
) -> None:
    if column not in columns:
        raise SpecError(f"`{source.address}` lacks the column `{column}`, which other inputs have")
    if not fits(columns[column], kind):
        raise SpecError(f"in `{source.address}`, `{column}` must be {WANTED[kind]}; got {columns[column]}")
    column_type = plain_type(columns[column])
    first_type, first_address = types.setdefault(column, (column_type, source.address))
    if kind == "own" and column_type != first_type:
        raise SpecError(
            f"in `{source.address}`, `{column}` is {column_type}; in `{first_address}` it is {first_type}: "
            "make them alike, or leave the column out"
        )


def _files_at(address: str) -> list[Input]:
    try:
        inputs = list(_inputs_at(address))
    except FileNotFoundError as missing:
        raise SpecError(f"`{missing.filename or address}` is not there") from missing
    except store_errors() as error:
        raise SpecError(f"`{address}` cannot be looked at: {type(error).__name__}: {error}") from error
    if not inputs:
        raise SpecError(f"`{address}` means no file whose name ends with {_endings()}")
    return sorted(inputs, key=lambda source: source.address)


def _inputs_at(address: str) -> Iterator[Input]:
    store, path = opened(address)
    try:
        info = store.info(path)
    except FileNotFoundError:
        if not any(sign in path for sign in "*?["):
            raise
        infos_by_name = store.glob(path, detail=True)
    else:
        if info["type"] == "file":
            yield _input(store, path, info)
            return
        infos_by_name = store.find(path, detail=True)
    results = tuple(
        name.removesuffix(PLAN_FILE) + RESULTS for name in infos_by_name if name.endswith(f"/{PLAN_FILE}")
    )
    for name, info in infos_by_name.items():
        if _format(name) is None or name.startswith(results) or _is_hidden(name, path):
            continue
        target = store.info(name) if info.get("islink") else info  # of a link, what it leads to
        if target["type"] == "file":
            yield _input(store, name, target)


def _input(store: Any, path: str, info: Mapping[str, Any]) -> Input:
    address, file_format = store.unstrip_protocol(path), _format(path)
    if file_format is None:
        raise SpecError(f"`{path}` must have a name that ends with {_endings()}")
    if info["size"] is None:
        raise SpecError(f"`{address}` does not tell how long it is; copy it to a disk or a store that does")
    mark = next((str(info[name]) for name in MARKS if info.get(name) is not None), "")
    return Input(address if is_url(address) else path, file_format, int(info["size"]), mark)


def _format(path: str) -> Format | None:
    return FORMATS.get(PurePosixPath(path).suffix.lower())


def _is_hidden(name: str, folder: str) -> bool:
    """Whether another tool left the file there: `_temporary/`, `.crc` and the like."""
    relative = name[len(folder) :] if name.startswith(folder) else PurePosixPath(name).name
    return any(part[:1] in ("_", ".") for part in relative.split("/"))


def _endings() -> str:
    return " or ".join(f"`{suffix}`" for suffix in FORMATS)


def _heads(inputs: Sequence[Input]) -> list[ParquetHead]:
    """Of all Parquet files that can be opened."""
    heads = looked_into(head_of, (source for source in inputs if source.format == "parquet"))
    return [head for head in heads if head is not None]


def _byte_ranges(size: int, piece_bytes: int) -> Iterator[tuple[int, int]]:
    parts = math.ceil(size / piece_bytes)
    return pairwise(size * part // parts for part in range(parts + 1 if parts else 0))


def _group_ranges(source: Input, piece_bytes: int) -> Iterator[tuple[int, int]]:
    head = head_of(source)
    if head is None:
        yield 0, 0
        return
    start, piece_size = 0, 0
    for number, group in enumerate(head.row_groups):
        if piece_size and piece_size + group.size > piece_bytes:
            yield start, number
            start, piece_size = number, 0
        piece_size += group.size
    if start < len(head.row_groups):
        yield start, len(head.row_groups)


def _samples(inputs: Sequence[Input]) -> Iterator[list[bytes]]:
    """The first lines of some of the files of JSON lines, spread over all of them."""
    files = [source for source in inputs if source.format == "jsonl"]
    for source in files[:: math.ceil(len(files) / SAMPLE_FILES) or 1]:
        with suppress(*store_errors()):  # which will be reported when its rows are read
            yield _first_lines(source)


def _first_lines(source: Input) -> list[bytes]:
    store, path = opened(source.address)
    with store.open(path, "rb") as file:
        block = next(blocks_of(file, 0, source.size), None)
    lines = (block.lines or b"").split(b"\n") if block else []
    return [line for line in lines if line.strip()][:SAMPLE_LINES]
