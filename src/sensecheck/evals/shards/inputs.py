"""The files of rows that addresses mean: names, folders, patterns with `*`, on disks and in stores."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.evals.shards.addresses import is_url, opened
from sensecheck.evals.shards.plan import NAME as RUN
from sensecheck.evals.shards.plan import Format, Input
from sensecheck.evals.shards.result_name import FOLDER
from sensecheck.io.objectstore import store_errors

FORMATS: Mapping[str, Format] = {".parquet": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}
MARKS = ("ETag", "etag", "generation", "md5Hash", "content_md5", "LastModified", "last_modified", "mtime")
"""What stores and disks say of a file that changes with it, the surest first."""
RESULTS = f"{FOLDER}/"
"""Beside the plan of a run: these files are no rows of another one."""


def inputs_of(addresses: Sequence[str]) -> tuple[Input, ...]:
    """All files that are meant, each once, those of an address sorted by name."""
    found: dict[str, Input] = {}
    for address in addresses:
        for given in _meant(address):
            found.setdefault(given.address, given)
    if not found:
        raise SpecError("no file of rows was named; name Parquet files or JSON lines, or a folder of them")
    return tuple(found.values())


def input_at(address: str) -> Input:
    """A single file, as it is now."""
    store, path = opened(address)
    store.invalidate_cache()
    return _input(store, path, store.info(path))


def _meant(address: str) -> list[Input]:
    try:
        found = list(_found(address))
    except FileNotFoundError as missing:
        raise SpecError(f"`{missing.filename or address}` is not there") from missing
    except store_errors() as wrong:
        raise SpecError(f"`{address}` cannot be looked at: {type(wrong).__name__}: {wrong}") from wrong
    if not found:
        raise SpecError(f"`{address}` means no file whose name ends with {_endings()}")
    return sorted(found, key=lambda given: given.address)


def _found(address: str) -> Iterator[Input]:
    store, path = opened(address)
    try:
        about = store.info(path)
    except FileNotFoundError:
        if not any(sign in path for sign in "*?["):
            raise
        listed = store.glob(path, detail=True)
    else:
        if about["type"] == "file":
            yield _input(store, path, about)
            return
        listed = store.find(path, detail=True)
    results = tuple(name.removesuffix(RUN) + RESULTS for name in listed if name.endswith(f"/{RUN}"))
    for name, about in listed.items():
        if _format(name) is None or name.startswith(results) or _is_hidden(name, path):
            continue
        found = store.info(name) if about.get("islink") else about  # of a link, what it leads to
        if found["type"] == "file":
            yield _input(store, name, found)


def _input(store: Any, path: str, about: Mapping[str, Any]) -> Input:
    address, form = store.unstrip_protocol(path), _format(path)
    if form is None:
        raise SpecError(f"`{path}` wants a name that ends with {_endings()}")
    if about["size"] is None:
        raise SpecError(f"`{address}` does not tell how long it is; copy it to a disk or a store that does")
    mark = next((str(about[name]) for name in MARKS if about.get(name) is not None), "")
    return Input(address if is_url(address) else path, form, int(about["size"]), mark)


def _format(path: str) -> Format | None:
    return FORMATS.get(PurePosixPath(path).suffix.lower())


def _is_hidden(name: str, below: str) -> bool:
    """Whether it lies in what other tools left there: `_temporary/`, `.crc` and the like."""
    inner = name[len(below) :] if name.startswith(below) else PurePosixPath(name).name
    return any(part[:1] in ("_", ".") for part in inner.split("/"))


def _endings() -> str:
    return " or ".join(f"`{suffix}`" for suffix in FORMATS)
