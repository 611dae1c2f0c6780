"""Data from a text, as the name of its file says, or as the text itself does."""

from pathlib import Path

from sensecheck.core.errors import BatteryError
from sensecheck.evals.documents.json_document import read_json_document
from sensecheck.evals.documents.yaml_document import read_document
from sensecheck.evals.node import Node


def read_file(text: str, path: Path) -> Node:
    """What the text of a YAML or a JSON file holds."""
    read = read_json_document if path.suffix.lower() == ".json" else read_document
    return read(text, str(path))


def read_inline(text: str, node: Node) -> Node:
    """What a text within a battery holds: JSON, or else YAML."""
    try:
        return read_json_document(text, "value")
    except BatteryError:
        try:
            return read_document(text, "value")
        except BatteryError as wrong:
            raise node.wrong(f"it holds neither JSON nor YAML: {wrong}") from wrong
