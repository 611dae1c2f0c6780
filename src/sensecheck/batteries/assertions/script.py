"""Assertions that are code: an expression, a few lines, or a function of a Python file.

What it returns is true or false, a number, or a mapping of both.
"""

import ast
import json
import textwrap
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from numbers import Real
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from sensecheck.batteries.assertions.base import NUMBER, TEXT, AssertionInput, AssertionType
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import BatteryError, CannotJudge, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict, could_not_judge, require_check
from sensecheck.documents.node import Node, Place
from sensecheck.documents.reading import SCHEME, names_file
from sensecheck.sources.python import RAISED, function_of, printing_aside, waited_for

_WANTED = "wanted true or false, a number, or a mapping with `pass`, `score` and `reason`"
_SPELLED = {"pass_": "pass", "named_scores": "namedScores"}

Function = Callable[..., Any]
_INLINE = "<python>"
_USUAL = "get_assert"
"""The function of a file that is called when none is named."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A function's word, and what the answer is worth to it."""

    passes: bool | None
    """None when there is only the score."""
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Script:
    """Passes when a function says so of the answer; a number must be above 0, or reach the threshold."""

    function: Callable[..., Any] = field(repr=False)
    file: str
    """Where the function stands, as its traces have it."""
    vars: Mapping[str, Any] = field(repr=False)
    threshold: float | None = None
    label: str = "python"

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label

    def needs(self, sample: Sample, known: Space) -> Needs:
        """Nothing of a model."""
        return Needs()

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """What the function says; what it raises is neither pass nor fail."""
        try:
            return self._verdict(_read_result(self._call(sample), self._who))
        except CannotJudge as reason:
            return could_not_judge(self.name, reason)

    def redecide(self, verdict: Verdict) -> Verdict:
        """What the function said then; it is not called again."""
        require_check(self.name, verdict)
        return verdict

    def to_data(self) -> dict[str, Any]:
        """What tells it from another; its code is known by the digest of the battery's files."""
        return {"file": Path(self.file).name, "threshold": self.threshold, "label": self.label}

    @property
    def _who(self) -> str:
        return "the code" if self.file.startswith("<") else f"`{Path(self.file).name}`"

    def _call(self, sample: Sample) -> Any:
        context = {"vars": dict(self.vars), "prompt": sample.question}
        try:
            with printing_aside():
                return waited_for(self.function(sample.answer, context))
        except CannotJudge:
            raise
        except RAISED as raised:
            raise CannotJudge(f"{self._who} raised {self._error_text(raised)}") from raised

    def _error_text(self, raised: BaseException) -> str:
        """Its kind, and the line of the user's code; its text may repeat what is private."""
        frames = traceback.extract_tb(raised.__traceback__)
        user_frames = [frame for frame in frames if frame.filename == self.file] or frames
        return f"{type(raised).__name__} at line {user_frames[-1].lineno}"

    def _verdict(self, returned: Returned) -> Verdict:
        cutoff = None if self.threshold is None else at_least(self.threshold)
        reached = (
            returned.score > 0 or returned.passes is True
            if cutoff is None
            else cutoff.side(returned.score) == "pass"
        )
        outcome: Outcome = "pass" if reached and returned.passes is not False else "fail"
        return Verdict(self.name, outcome, returned.reason, Reading(returned.score, returned.reason), cutoff)


def _read_result(result: Any, who: str) -> Returned:
    """What was returned, read strictly; anything else is no judgement."""
    if isinstance(result, bool | np.bool_):
        return Returned(bool(result), float(result), f"{who} returned {str(bool(result)).lower()}")
    if isinstance(result, Real):
        score = _number(result, who)
        return Returned(None, score, f"{who} returned {score:g}")
    if isinstance(result, Mapping):
        return _mapping({_SPELLED.get(str(key), str(key)): value for key, value in result.items()}, who)
    forgot = "; several lines need a `return`" if result is None else ""
    raise CannotJudge(f"{who} returned {type(result).__name__}; {_WANTED}{forgot}")


def _number(number: Real, who: str) -> float:
    try:
        return float(number)
    except OverflowError as large:
        raise CannotJudge(f"{who} returned a number that is too large to be a score") from large


def _mapping(result: Mapping[str, Any], who: str) -> Returned:
    if result.get("namedScores"):
        raise CannotJudge(
            f"{who} returned `namedScores`, which is not supported; give the assertion a `metric`"
        )
    passes, score, reason = result.get("pass"), result.get("score"), result.get("reason")
    if not isinstance(passes, bool | np.bool_):
        raise CannotJudge(f"{who} returned a mapping whose `pass` is {type(passes).__name__}; {_WANTED}")
    worth = float(passes) if score is None else score
    if not isinstance(worth, Real) or not isinstance(reason, str | None):
        raise CannotJudge(f"{who} returned a mapping whose `score` or `reason` is something else; {_WANTED}")
    default_reason = f"{who} returned {str(bool(passes)).lower()}"
    return Returned(bool(passes), _number(worth, who), reason or default_reason)


def script_of(function: Function, file: str, assertion: AssertionInput) -> Script:
    """The check by a function, with the threshold that the assertion names for what it returns."""
    node = assertion.entries.get("threshold")
    threshold = None if node is None else node.number(f"`threshold` of `{assertion.type}`")
    return Script(function, file, assertion.about.vars, threshold, assertion.type)


def _python(assertion: AssertionInput) -> Check:
    value = assertion.entries["value"]
    written = value.text("`value` of `python`")
    if names_file(value):
        return script_of(*_of_file(value, assertion.about.folder), assertion)
    names: dict[str, Any] = {"json": json, "__name__": _INLINE}
    exec(_code(written), names)  # it only defines the function
    return script_of(names["main"], _INLINE, assertion)


KINDS: Mapping[str, AssertionType] = {
    "python": AssertionType(
        "This code, with `output` and `context`, finds the answer good: true, a number above 0, or one that "
        "reaches the threshold.",
        _python,
        {"value": TEXT, "threshold": NUMBER},
        ("value",),
        graded=True,
    ),
}


def _of_file(value: Node, folder: Path) -> tuple[Function, str]:
    """The function of `file://path.py`, or the one that is named after a colon."""
    file, _, name = value.text("a file").removeprefix(SCHEME).partition(".py")
    path = folder / f"{file}.py"
    if name and not name.startswith(":"):
        raise value.error(f"`python` must be `file://….py`, or `file://….py:function`; got `{value.value}`")
    try:
        changed = path.stat().st_mtime_ns
        return _loaded(path, name.removeprefix(":") or _USUAL, changed), str(path)
    except OSError as unread:
        raise value.error(f"the file `{path}` cannot be read: {unread.strerror}") from unread
    except BatteryError as error:
        raise value.error(f"`python`: {error}") from error


@lru_cache(maxsize=64)
def _loaded(path: Path, name: str, changed: int) -> Function:
    """The function; its file is run once, however many tests ask it."""
    return function_of(path, (name,), Node(None, Place(str(path), 1)))


@lru_cache(maxsize=1024)
def _code(written: str) -> CodeType:
    """The text as a function of `output` and `context`; one line is an expression, more are a body."""
    text = textwrap.dedent(written).strip()
    try:
        body: list[ast.stmt] = (
            ast.parse(text, _INLINE).body
            if "\n" in text
            else [ast.Return(ast.parse(text, _INLINE, mode="eval").body)]
        )
        whole = ast.parse("def main(output, context): pass", _INLINE)
        whole.body[0].body = body  # type: ignore[attr-defined]  # it is the function just written
        return compile(ast.fix_missing_locations(whole), _INLINE, "exec")
    except (SyntaxError, ValueError, RecursionError) as error:
        at = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise SpecError(f"`python` cannot be read{at}: {error}") from error
