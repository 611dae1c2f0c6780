"""The digests of a model's files, by which it is told from every other."""

import hashlib
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path, PurePosixPath

_LOCATION = b"\n\x08location\x12"
"""How a graph's file begins to name a file of weights: ONNX's entry `location`, as protobuf writes it."""


def sha256(path: Path) -> str:
    """The SHA-256 of a file; an unchanged file is read once a process."""
    return _digest(path, *_unchanged(path))


def graph_hash(graph: Path) -> str:
    """The SHA-256 of a graph, and of each file beside it in which it keeps weights."""
    beside = [graph.parent / name for name in weight_files(graph)]
    return ":".join(sha256(path) for path in (graph, *beside) if path.is_file())


def weight_files(graph: Path) -> tuple[str, ...]:
    """The files, relative to its folder, in which a graph says that it keeps weights."""
    return _named(graph, *_unchanged(graph))


def _unchanged(path: Path) -> tuple[int, int, int]:
    now = path.stat()
    return now.st_ino, now.st_size, now.st_mtime_ns


@lru_cache(maxsize=64)
def _digest(path: Path, *_unchanged: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=64)
def _named(graph: Path, _inode: int, size: int, _changed: int) -> tuple[str, ...]:
    """Searched for as bytes: reading a graph properly would take a package that does little else for us."""
    found: set[str] = set()
    if size:
        with graph.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            at = content.find(_LOCATION)
            while at >= 0:
                at += len(_LOCATION)
                found.add(_short_text(content[at : at + 2 + 4096]))
                at = content.find(_LOCATION, at)
    return tuple(sorted(name for name in found if _inside(name)))


def _short_text(content: bytes) -> str:
    """The text after its length, which protobuf writes in one byte, or in two from 128 on."""
    length, more = (*content[:2], 0, 0)[:2]
    start = 1
    if length > 127:
        length, start = (length & 127) | more << 7, 2
    return content[start : start + length].decode("utf-8", "replace")


def _inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
