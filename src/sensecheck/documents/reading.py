"""Files and texts as documents: YAML or JSON, by the file's name or by trying both."""

from pathlib import Path
from typing import Final

from sensecheck.core.errors import BatteryError
from sensecheck.documents.json import read_json_document
from sensecheck.documents.node import Node, Place
from sensecheck.documents.yaml import read_document

SCHEME: Final = "file://"
MAX_FILE_BYTES: Final = 32 * 1024 * 1024
"""Bytes of a file that is read at once; tables and JSON lines are read row by row, whatever their size."""


def read_file(text: str, path: Path) -> Node:
    """What the text of a YAML or a JSON file holds."""
    read = read_json_document if path.suffix.lower() == ".json" else read_document
    return read(text, str(path))


def read_path(path: Path) -> Node:
    """The same of a file that no document names; one that cannot be read is an error without a place."""
    return read_file(decoded(content_of(path, Node(None, Place(str(path), 1))), path), path)


def read_inline(text: str, node: Node) -> Node:
    """What a text within a battery holds: JSON, or else YAML."""
    try:
        return read_json_document(text, "value")
    except BatteryError:
        try:
            return read_document(text, "value")
        except BatteryError as error:
            raise node.error(f"it holds neither JSON nor YAML: {error}") from error


def names_file(node: Node) -> bool:
    """Whether the value is a file's name."""
    return isinstance(node.value, str) and node.value.startswith(SCHEME)


def content_of(path: Path, node: Node) -> bytes:
    """What a file holds; one that cannot be read is an error at the node that names it, if there is one."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        reason = f"`{path}` cannot be read: {error.strerror or error}"
        if node.place.file == str(path):
            raise BatteryError(reason) from error
        raise node.error(f"the file {reason}") from error
    if len(content) > MAX_FILE_BYTES:
        raise node.error(f"the file `{path}` is too large; wanted at most {MAX_FILE_BYTES:,} bytes")
    return content


def decoded(content: bytes, path: Path, line: int = 1) -> str:
    """The text of bytes, from this line on; what is not UTF-8 is an error with its place."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line += before.count(b"\n")
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise BatteryError(f"{path}:{line}:{column}: the file is not UTF-8: {error.reason}") from error
    return text.removeprefix("\ufeff") if line == 1 else text
