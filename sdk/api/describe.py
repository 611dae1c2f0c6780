"""Writes what the SDK uses of the service's description to `openapi.json`; `--check` fails where it is stale.

`npm run api` makes types of it.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from sensecheck.server.app import app_of
from sensecheck.server.startup import ServiceParts

FILE = Path(__file__).with_name("openapi.json")
PATHS = ("/v1/answers", "/v1/related", "/v1/messages/{message_id}/feedback", "/query-selected-text")
_SCHEMAS = "#/components/schemas/"


def described() -> str:
    """The description of these paths and of all that they speak of, as the file should hold it."""
    whole = app_of(_no_parts).openapi()
    paths = {path: whole["paths"][path] for path in PATHS}
    schemas = whole["components"]["schemas"]
    reached = _reached(paths, schemas)
    components = {**whole["components"], "schemas": {name: schemas[name] for name in sorted(reached)}}
    told = {**whole, "paths": paths, "components": components}
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _no_parts() -> AbstractAsyncContextManager[ServiceParts]:
    raise AssertionError("a description needs no parts")


def _reached(paths: Any, schemas: dict[str, Any]) -> set[str]:
    """The names of the schemas that the paths speak of, and of those that these speak of."""
    reached: set[str] = set()
    new = set(_named_in(paths))
    while new:
        reached |= new
        new = {name for one in new for name in _named_in(schemas[one])} - reached
    return reached


def _named_in(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "$ref":
                yield value.removeprefix(_SCHEMAS)
            else:
                yield from _named_in(value)
    elif isinstance(data, list):
        for one in data:
            yield from _named_in(one)


def main() -> None:
    """Write the file, or look at it."""
    parser = argparse.ArgumentParser(description="Describe the paths that the SDK uses.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the file is stale")
    if not parser.parse_args().check:
        FILE.write_text(described(), encoding="utf-8")
    elif not FILE.is_file() or FILE.read_text(encoding="utf-8") != described():
        sys.exit(f"{FILE.name} is not what the service says of itself; run: just sdk")


if __name__ == "__main__":
    main()
