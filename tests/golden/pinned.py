"""Comparing what is found with the file that holds what it must be; `REWRITE_GOLDEN=1` rewrites the files."""

import difflib
import json
import math
import os
import re
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
REWRITE = "REWRITE_GOLDEN"
VOLATILE_KEYS = re.compile(r".*(_ms|_seconds|_bytes)|seconds|bytes|date|folder")
DRAWN = {"id": "[0-9a-z]{12}", "key": "sk_.*", "fingerprint": "[0-9a-f]{64}"}
"""By their keys, texts that are drawn anew each time, or made of the version of sensecheck."""
VOLATILE_TEXTS = {
    re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?"): "<moment>",
    re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"): "<id>",
    re.compile(r"\b\d+(\.\d+)? (s|ms|KB|MB|GB)\b"): "<amount>",
    re.compile(rf"\b{re.escape(version('sensecheck'))}\b"): "<version>",
}


def pin(name: str, found: str) -> None:
    """Fail with a readable difference unless the file `name` holds exactly what was found."""
    path = HERE / name
    if os.environ.get(REWRITE):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8")
        return
    if not path.exists():
        pytest.fail(f"`{name}` is missing; look at what it would hold, then run with `{REWRITE}=1`:\n{found}")
    wanted = path.read_text(encoding="utf-8")
    if found != wanted:
        lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), name, "found", lineterm="")
        pytest.fail(f"`{name}` differs; where that is meant, run with `{REWRITE}=1`:\n" + "\n".join(lines))


def pin_data(name: str, found: Any) -> None:
    """The same for data, written as JSON in its own order."""
    pin(name, json.dumps(found, indent=1, ensure_ascii=False) + "\n")


def assert_all(folder: str, names: Iterable[str]) -> None:
    """Fail when the folder holds a file that nothing is compared with: what is gone leaves none behind."""
    left = {path.name for path in (HERE / folder).iterdir()} - set(names)
    if os.environ.get(REWRITE):
        for name in left:
            (HERE / folder / name).unlink()
        return
    assert not left, f"nothing is compared with these files of tests/golden/{folder}: {sorted(left)}"


def steady(value: Any, folder: Path) -> Any:
    """Data without what differs by moment, machine and version: placeholders, and numbers of four digits."""
    if isinstance(value, dict):
        return {key: f"<{key}>" if _moves(key, item) else steady(item, folder) for key, item in value.items()}
    if isinstance(value, list):
        return [steady(item, folder) for item in value]
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.4g}")
    if isinstance(value, str):
        text = value.replace(str(folder), "<folder>")
        for pattern, placeholder in VOLATILE_TEXTS.items():
            text = pattern.sub(placeholder, text)
        return text
    return value


def _moves(key: str, item: Any) -> bool:
    if isinstance(item, str) and key in DRAWN and re.fullmatch(DRAWN[key], item):
        return True
    return VOLATILE_KEYS.fullmatch(key) is not None and isinstance(item, str | int | float)


def shape(value: Any) -> Any:
    """Keys and types alone, for what depends on the machine."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__
