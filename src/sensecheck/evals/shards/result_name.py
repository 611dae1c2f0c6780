"""The names of files of results: of a whole shard, or of some of its rows."""

import re
from typing import NamedTuple

from sensecheck.evals.shards.place import own_name

FOLDER = "results"
_NAME = re.compile(rf"{FOLDER}/([0-9a-f]+)(?:\.(\d+)-(\d+))?\.parquet")


class Named(NamedTuple):
    """What a file of results is about."""

    shard: str
    rows: tuple[int, int] | None
    """None for all of them."""


def result_name(shard: str, rows: tuple[int, int] | None = None) -> str:
    """The file for the results of a shard, or of these rows of it."""
    some = "" if rows is None else f".{rows[0]}-{rows[1]}"
    return f"{FOLDER}/{shard}{some}.parquet"


def named(name: str) -> Named | None:
    """What the file of this name is about; None for a file that is not ours."""
    found = _NAME.fullmatch(own_name(name))
    if found is None:
        return None
    shard, start, stop = found.groups()
    return Named(shard, None if start is None else (int(start), int(stop)))
