"""Assertions in the cells of a table: `contains: Paris`, `similar(0.8): …`, or the plain text that is due."""

import re
from difflib import get_close_matches
from typing import Any, Final

from sensecheck.core.errors import SpecError
from sensecheck.evals.assertions.kinds import KINDS
from sensecheck.evals.assertions.own import KINDS as OWN
from sensecheck.evals.assertions.unsupported import TYPES as UNSUPPORTED

TYPES: Final = tuple(name for name in (*KINDS, *UNSUPPORTED) if ":" not in name)
"""What may stand before the colon; those that we do not have are told by who reads assertions."""

_WORDS: Final = frozenset(name for name in OWN if name.isalpha())
"""Types of our own that are plain words, which an answer may well be."""
_FORM: Final = re.compile(
    rf"(?P<type>(?:not-)?(?:{'|'.join(sorted(TYPES, key=len, reverse=True))}))"
    r"(?:\((?P<threshold>\d+(?:\.\d+)?)\))?(?::(?P<value>.*))?",
    re.DOTALL,
)
_BEFORE_COLON: Final = re.compile(r"(?:not-)?([a-z][a-z-]+)(?:\([^)]*\))?:")
_OTHER_NAMES: Final = {"fn": "javascript", "eval": "javascript", "grade": "llm-rubric"}
_THRESHOLDS: Final = {"similar": 0.8, "rouge-n": 0.75, "levenshtein": 0.75}
"""Those that promptfoo has for tables; they differ from those that it has elsewhere."""


def assertion_of(cell: str) -> dict[str, Any]:
    """The assertion that a cell stands for, as plain data; `SpecError` says what is wrong with it."""
    text = cell.strip()
    if text.startswith("file://"):
        return _of_file(text)
    name, colon, rest = text.partition(":")
    if colon and name in _OTHER_NAMES:
        text = f"{_OTHER_NAMES[name]}:{rest}"
    if text.removeprefix("not-") in _WORDS:
        raise SpecError(
            f"`{text}` is a type of assertion and a word; write `{text}:` for the type, "
            f"or `equals: {text}` for the word"
        )
    form = _FORM.fullmatch(text)
    if form is None:
        _must_not_be_mistyped(text)
        return {"type": "equals", "value": text}
    kind = form["type"].removeprefix("not-")
    made: dict[str, Any] = {"type": form["type"]}
    value = (form["value"] or "").strip()
    if value or (form["value"] is not None and kind not in _WORDS):
        made["value"] = value
    threshold = _THRESHOLDS.get(kind) if form["threshold"] is None else float(form["threshold"])
    return made if threshold is None else made | {"threshold": threshold}


def _of_file(text: str) -> dict[str, Any]:
    if re.search(r"\.py(?::\w+)?$", text):
        return {"type": "python", "value": text}
    if re.search(r"\.[cm]?[jt]s(?::\w+)?$", text):
        return {"type": "javascript", "value": text}
    return {"type": "equals", "value": text}


def _must_not_be_mistyped(text: str) -> None:
    """Plain text is what the answer has to equal; what looks like a mistyped type is not taken for it."""
    before = _BEFORE_COLON.match(text)
    close = before and get_close_matches(before[1], TYPES, n=1, cutoff=0.8)
    if before and close:
        raise SpecError(
            f"`{before[1]}` is not a known type of assertion; did you mean `{close[0]}`? "
            f"A text that the answer has to equal is written `equals: {text[:40]}`"
        )
