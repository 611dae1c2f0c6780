"""A cache of vectors or pair scores in Parquet segments, for workers that share a folder or an object store.

A segment is a file of keys in order, each with the body that is kept for it. Its name is
`ROOT/MAKER/BUCKET/NUMBER.parquet`: the maker's digest, the first hex digit of the keys, and a number that
only one writer gets. Whoever finds a number taken reads what the winner wrote, leaves out the keys that are
there now, and takes the next one: the first write of a key wins, with no one to ask. Of several entries for
a key the one with the highest number counts, so that a body can be let go and be written anew.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Self, TypeVar
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from fsspec import AbstractFileSystem
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from sensecheck.core.errors import CacheError, SpecError
from sensecheck.encoders.disk_cache import PLAIN_HEAD, is_plain
from sensecheck.io.objectstore import create_once, knows_conditions, put_once, store_errors

KEY_BYTES = 20
ROWS_A_GROUP = 2048
"""As many are read to get at one of them."""
COLUMNS = ["key", "head", "vector", "body"]
"""A plain body has a head and a vector, another is whole, one that is let go has nothing."""
MAX_KEYS = 4_000_000
"""How many keys of segments stay in memory, at 20 bytes each."""

Keys = npt.NDArray[np.bytes_]
Rows = npt.NDArray[np.int64]
Entries = Mapping[bytes, bytes | None]
"""Bodies by key; None for a body that is let go."""
Open = Callable[[], pa.NativeFile]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SegmentKeys:
    """The keys that a segment has entries for."""

    maker: str
    keys: Keys
    """In order, for binary search."""
    dropped: int
    """How many of the entries say that a body is let go."""

    @classmethod
    def of(cls, maker: str, entries: Entries) -> Self:
        """Those of a segment that is made of these."""
        dropped = sum(body is None for body in entries.values())
        return cls(maker, np.array(sorted(entries), f"S{KEY_BYTES}"), dropped)

    @classmethod
    def read(cls, file: pa.NativeFile) -> Self:
        """Those of a segment; its bodies are not read."""
        with _opened(file) as segment:
            column = segment.read(columns=["key"]).column("key").combine_chunks()
            metadata = segment.schema_arrow.metadata
        keys = np.frombuffer(column.buffers()[1], f"S{KEY_BYTES}", len(column), column.offset * KEY_BYTES)
        return cls(metadata[b"maker"].decode(), keys, int(metadata[b"dropped"]))

    def rows_of(self, keys: Keys) -> Rows:
        """The row of each key; -1 where it has none."""
        positions = np.searchsorted(self.keys, keys)
        present = positions < len(self.keys)
        present[present] = self.keys[positions[present]] == keys[present]
        return np.where(present, positions, -1)


class SegmentFolder:
    """Files that are created once, and never changed; names are parted by `/`."""

    def __init__(self, files: AbstractFileSystem, root: str, address: str) -> None:
        self._files = files
        self._root = root.rstrip("/")
        self.address = address
        """As people wrote it, without secrets."""

    @classmethod
    def at(cls, address: str) -> Self:
        """A folder, or an address such as `s3://BUCKET/PREFIX`, with the store's own credentials."""
        if "://" in address:
            parts = urlsplit(address)
            redacted_address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        else:
            address = redacted_address = str(Path(address).expanduser().resolve())
        try:
            files, root = url_to_fs(address, use_listings_cache=False)
        except (ImportError, ValueError) as error:
            raise SpecError(f"the cache `parquet:{redacted_address}` cannot be opened: {error}") from error
        return cls(files, root, redacted_address)

    def names(self, under: str = "") -> list[str]:
        """The segments under a folder of it, sorted; none where there is no such folder."""
        return sorted(self._sizes(under))

    def open(self, name: str) -> pa.NativeFile:
        """A file to be read from any position; what a store holds is fetched whole.

        Never a file of Python: a thread of Arrow that still reads from one when Python ends takes it down.
        """
        path = f"{self._root}/{name}"
        if self._local:
            return pa.OSFile(path)
        return pa.BufferReader(self._files.cat_file(path, start=0))  # else S3 is queried for the size first

    def create(self, name: str, content: bytes) -> bool:
        """Create a file; False if it exists already, and nothing was written."""
        path = f"{self._root}/{name}"
        if self._local:
            return create_once(Path(path), content, mode=0o600)
        if not self._conditional:
            raise CacheError(
                f"the store of the cache `parquet:{self.address}` does not refuse to create what is there "
                "already, so that it is unknown which writer was first; use another one, or a shared folder"
            )
        return put_once(self._files, path, content)

    def used_bytes(self) -> int:
        """How many bytes the segments have."""
        return sum(self._sizes().values())

    def remove(self, names: list[str]) -> None:
        """Delete files."""
        if names:
            self._files.rm([f"{self._root}/{name}" for name in names])

    @property
    def _local(self) -> bool:
        return isinstance(self._files, LocalFileSystem)

    @cached_property
    def _conditional(self) -> bool:
        return knows_conditions(self._files, f"{self._root}/.created-once")

    def _sizes(self, under: str = "") -> dict[str, int]:
        """The bytes of each `MAKER/BUCKET/NUMBER.parquet`; deeper files belong to another cache."""
        prefix_length = len(self._root) + 1
        details_by_path = self._files.find(f"{self._root}/{under}".rstrip("/"), detail=True)
        sizes = {
            str(path)[prefix_length:]: int(details["size"] or 0) for path, details in details_by_path.items()
        }
        return {
            name: size for name, size in sizes.items() if name.endswith(".parquet") and name.count("/") == 2
        }


class Segments:
    """Bodies by maker and key, in files that are never changed.

    A maker's buckets are listed when they are first needed, and one of them again when a number turns out to
    be taken: what others wrote in the meantime is encoded once more, and found at the latest when it is to
    be written.
    """

    def __init__(self, folder: SegmentFolder) -> None:
        self._folder = folder
        self._names_by_bucket: dict[str, list[str]] = {}
        """By bucket: its segments, the newest first."""
        self._keys_by_name: dict[str, SegmentKeys] = {}
        self.max_bytes = None

    @property
    def address(self) -> str:
        """Where they are kept, without secrets."""
        return f"parquet:{self._folder.address}"

    def read(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies that are there."""
        bodies: dict[bytes, bytes] = {}
        with self._converting_errors():
            for bucket, bucket_keys in _by_bucket(maker, keys).items():
                bodies |= self._bodies(bucket, bucket_keys)
        return bodies

    def write(self, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
        """Keep bodies; for the keys that another process had written first, what is kept instead."""
        earlier_bodies: dict[bytes, bytes] = {}
        with self._converting_errors():
            for bucket, keys in _by_bucket(maker, list(bodies)).items():
                stored = self._bodies(bucket, keys)
                while not self._append(
                    bucket, maker, {key: bodies[key] for key in keys if key not in stored}
                ):
                    stored = self._bodies(bucket, keys)
                earlier_bodies |= stored
        return earlier_bodies

    def drop(self, maker: str, keys: Sequence[bytes]) -> None:
        """Let go of single bodies."""
        with self._converting_errors():
            for bucket, bucket_keys in _by_bucket(maker, keys).items():
                while not self._append(bucket, maker, dict.fromkeys(self._bodies(bucket, bucket_keys))):
                    pass

    def count(self) -> dict[str, int]:
        """How many bodies are kept, by their maker."""
        counts: Counter[str] = Counter()
        with self._converting_errors():
            for name in self._folder.names():
                segment = self._keys(name, partial(self._folder.open, name))
                counts[segment.maker] += len(segment.keys) - 2 * segment.dropped
        return {maker: count for maker, count in sorted(counts.items()) if count}

    def used_bytes(self) -> int:
        """How much the segments take."""
        with self._converting_errors():
            return self._folder.used_bytes()

    def clear(self, maker: str | None = None) -> int:
        """Let go of everything, or of what one maker made; how many bodies that were, if that can be read.

        A writer that is at work may then write a key once more that another has just written.
        """
        counts: dict[str, int] = {}
        with suppress(CacheError):
            counts = self.count()
        with self._converting_errors():
            self._folder.remove(self._folder.names("" if maker is None else _folder_of(maker)))
        self._names_by_bucket.clear()
        self._keys_by_name.clear()
        return sum(counts.values()) if maker is None else counts.get(maker, 0)

    def _bodies(self, bucket: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies of a bucket; looked up again where another process cleared it."""
        try:
            return self._lookup(bucket, keys)
        except FileNotFoundError:
            for name in self._names_by_bucket.pop(bucket, ()):
                self._keys_by_name.pop(name, None)
            return self._lookup(bucket, keys)

    def _lookup(self, bucket: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        missing: list[bytes] = list(keys)
        bodies: dict[bytes, bytes | None] = {}
        for name in self._names(bucket):
            open_segment = cache(partial(self._folder.open, name))  # once, for its keys and its bodies
            rows = self._keys(name, open_segment).rows_of(np.array(missing, f"S{KEY_BYTES}"))
            present = np.flatnonzero(rows >= 0)
            if present.size:
                entries = self._read(name, open_segment, partial(entries_at, rows=rows[present]))
                if list(entries) != [missing[i] for i in present]:  # cleared: numbering restarted
                    raise FileNotFoundError(f"`{name}` is another segment now")
                bodies |= entries
                missing = [missing[i] for i in np.flatnonzero(rows < 0)]
            if not missing:
                break
        return {key: body for key, body in bodies.items() if body is not None}

    def _append(self, bucket: str, maker: str, entries: Entries) -> bool:
        """Whether they are stored now; if not, another writer took the number: read the bucket again."""
        if not entries:
            return True
        names = self._names(bucket)
        number = int(PurePosixPath(names[0]).stem) + 1 if names else 1
        name = f"{bucket}/{number:08}.parquet"
        if self._folder.create(name, segment_of(maker, entries)):
            self._names_by_bucket[bucket] = [name, *names]
            self._remember(name, SegmentKeys.of(maker, entries))
            return True
        self._names_by_bucket.pop(bucket, None)
        return False

    def _names(self, bucket: str) -> list[str]:
        """The segments of a bucket, the newest first."""
        names = self._names_by_bucket.get(bucket)
        return self._list(bucket)[bucket] if names is None else names

    def _list(self, bucket: str) -> dict[str, list[str]]:
        """List a bucket; with the first one of a maker all of them, since most calls need them all."""
        maker = bucket.partition("/")[0]
        bucket_only = any(listed.startswith(maker) for listed in list(self._names_by_bucket))
        buckets = [bucket] if bucket_only else [f"{maker}/{digit:x}" for digit in range(16)]
        names_by_bucket: dict[str, list[str]] = {folder: [] for folder in buckets}
        for name in reversed(self._folder.names(bucket if bucket_only else maker)):
            names_by_bucket.setdefault(str(PurePosixPath(name).parent), []).append(name)
        self._names_by_bucket |= names_by_bucket
        return names_by_bucket

    def _keys(self, name: str, open_segment: Open) -> SegmentKeys:
        keys = self._keys_by_name.get(name)
        return (
            self._remember(name, self._read(name, open_segment, SegmentKeys.read)) if keys is None else keys
        )

    def _remember(self, name: str, keys: SegmentKeys) -> SegmentKeys:
        self._keys_by_name[name] = keys
        while (
            sum(len(segment.keys) for segment in list(self._keys_by_name.values())) > MAX_KEYS
            and len(self._keys_by_name) > 1
        ):
            self._keys_by_name.pop(next(iter(self._keys_by_name)), None)
        return keys

    def _read(self, name: str, open_segment: Open, parse: Callable[[pa.NativeFile], T]) -> T:
        file = open_segment()
        try:
            return parse(file)
        except (OSError, ValueError, KeyError, pa.ArrowException) as damaged:
            raise CacheError(
                f"the segment `{name}` of the cache `{self.address}` is damaged: {damaged}; "
                "delete it, or clear the cache with `sensecheck cache clear --all`"
            ) from damaged

    @contextmanager
    def _converting_errors(self) -> Iterator[None]:
        try:
            yield
        except store_errors() as broken:
            raise CacheError(
                f"the cache `{self.address}` cannot be used: {broken}; look after its folder or "
                "store, or switch it off with SENSECHECK_CACHE=off"
            ) from broken


def segment_of(maker: str, entries: Entries) -> bytes:
    """The bytes of a segment's file; nothing is rounded, but vectors that float16 can hold take half."""
    keys = sorted(entries)
    bodies = [entries[key] for key in keys]
    width = next((len(body) for body in bodies if body is not None and is_plain(body)), 0)
    plain = [body if body and len(body) == width and is_plain(body) else None for body in bodies]
    vectors, precision = _narrowest([plain_body and plain_body[PLAIN_HEAD:] for plain_body in plain])
    table = pa.table(
        {
            "key": pa.array(keys, pa.binary(KEY_BYTES)),
            "head": pa.array(
                [plain_body and plain_body[:PLAIN_HEAD] for plain_body in plain], pa.binary(PLAIN_HEAD)
            ),
            "vector": pa.array(vectors, pa.binary(max(map(len, filter(None, vectors)), default=1))),
            "body": pa.array(
                [None if plain_body else body for plain_body, body in zip(plain, bodies, strict=True)],
                "binary",
            ),
        }
    )
    dropped = str(sum(body is None for body in bodies))
    return _parquet(table.replace_schema_metadata({"maker": maker, "dropped": dropped, "vector": precision}))


def entries_at(file: pa.NativeFile, rows: Rows) -> dict[bytes, bytes | None]:
    """The entries in these rows of a segment, in order; none where it does not have so many rows."""
    with _opened(file) as segment:
        if rows.max() >= segment.metadata.num_rows:
            return {}
        groups, group_index = np.unique(rows // ROWS_A_GROUP, return_inverse=True)
        table = segment.read_row_groups([int(group) for group in groups], columns=COLUMNS)
        half = segment.schema_arrow.metadata[b"vector"] == b"float16"
    # every group is full but the last one of the file, which is then the last that was read
    selected = table.take(pa.array(group_index * ROWS_A_GROUP + rows % ROWS_A_GROUP))
    keys, heads, vectors, others = (selected.column(name).to_pylist() for name in COLUMNS)
    full_vectors = (
        [vector and np.frombuffer(vector, "<f2").astype("<f4").tobytes() for vector in vectors]
        if half
        else vectors
    )
    return {
        key: other if head is None else head + vector
        for key, head, vector, other in zip(keys, heads, full_vectors, others, strict=True)
    }


def _by_bucket(maker: str, keys: Sequence[bytes]) -> dict[str, list[bytes]]:
    buckets: dict[str, list[bytes]] = {}
    for key in keys:
        buckets.setdefault(f"{_folder_of(maker)}/{key[0] >> 4:x}", []).append(key)
    return buckets


def _folder_of(maker: str) -> str:
    return hashlib.blake2b(maker.encode(), digest_size=8).hexdigest()


def _opened(file: pa.NativeFile) -> pq.ParquetFile:
    return pq.ParquetFile(file, page_checksum_verification=True)


def _parquet(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=ROWS_A_GROUP,
        compression="none",  # digests and vectors do not shrink
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    return bytes(sink.getvalue())


def _narrowest(vectors: Sequence[bytes | None]) -> tuple[list[bytes | None], str]:
    """The vectors as they are, or in float16 where that gives back every bit; and which of both."""
    whole = np.frombuffer(b"".join(filter(None, vectors)), "<f4")
    with np.errstate(over="ignore"):
        half = whole.astype("<f2")
    if not whole.size or half.astype("<f4").tobytes() != whole.tobytes():
        return list(vectors), "float32"
    return [vector and np.frombuffer(vector, "<f4").astype("<f2").tobytes() for vector in vectors], "float16"
