"""A source that is a function of a Python file."""

import inspect
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from sensecheck.evals.battery import SourceSpec
from sensecheck.evals.printing_aside import printing_aside
from sensecheck.evals.python_file import RAISED, function_of, told, waited_for
from sensecheck.evals.sources.digests import digest
from sensecheck.evals.sources.options import SourceOptions
from sensecheck.evals.sources.output import answer_from
from sensecheck.evals.sources.secrets import keys_in
from sensecheck.evals.sources.source import Answer, NoAnswer, Question

_WRITTEN = re.compile(r"(?:file://|python:)(?P<file>.+\.py)(?::(?P<function>\w+))?")
DEFAULTS = ("call_api", "answer")
"""The functions that are looked for when the id names none."""
FOREIGN = ("pythonExecutable", "timeout")


@dataclass(frozen=True, slots=True)
class PythonSource:
    """Calls `call_api(prompt, options, context)`, as promptfoo does, or simply `answer(prompt)`."""

    label: str
    function: Callable[..., Any]
    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    at_once: int = 1
    keys: frozenset[str] = field(default=frozenset(), repr=False)
    """What no message may tell."""
    kept: bool = True

    @property
    def fingerprint(self) -> str:
        """Changes with all that is handed to the function; whether its code changed is not seen."""
        return f"python:{self.name}:{digest(self.label, dict(self.config))}"

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the function returns; what it raises is told by its kind, its line and its text."""
        before = time.perf_counter()
        try:
            given = self._called(question)
        except RAISED as raised:
            private = (question.prompt, *self.keys)
            return NoAnswer(f"`{self.name}` raised {told(raised, private=private)}")
        latency_ms = (time.perf_counter() - before) * 1000
        return answer_from(given, latency_ms, who=f"`{self.name}`", prompt=question.prompt, keys=self.keys)

    def _called(self, question: Question) -> Any:
        options = {"config": dict(self.config), "label": self.label}
        context = {"vars": dict(question.vars), "prompt": {"raw": question.prompt}, "repeat": question.repeat}
        everything = (question.prompt, options, context)
        with printing_aside():
            return waited_for(self.function(*everything[: _wanted(self.function)]))


def fits(source_id: str) -> bool:
    """Whether an id names a Python file."""
    return _WRITTEN.fullmatch(source_id) is not None


def check(spec: SourceSpec) -> int:
    """How many calls at once the file allows; all other keys are the function's own."""
    held = spec.config.mapping(f"`config` of `{spec.id}`")
    for key in FOREIGN:
        if key in held:
            raise spec.config.wrong(
                f"`{key}` is a key of promptfoo that sensecheck does not have for `{spec.id}`", key=key
            )
    return held["workers"].whole("`workers`", least=1) if "workers" in held else 1


def load(spec: SourceSpec, options: SourceOptions) -> PythonSource:
    """The function; one call at a time, unless `workers` in its config says more."""
    file, wanted = _named(spec)
    config = spec.config.plain()
    keys = keys_in([options.environment, config])
    names = (wanted,) if wanted else DEFAULTS
    function = function_of(options.folder / file, names, spec.config, private=keys)
    name = f"{file}:{getattr(function, '__name__', wanted)}"
    return PythonSource(spec.label, function, name, config, check(spec), keys)


def _named(spec: SourceSpec) -> tuple[str, str | None]:
    """The file, and the function where the id names one."""
    written = _WRITTEN.fullmatch(spec.id)
    if written is None:
        raise spec.config.wrong(f"`{spec.id}` names no Python file")
    return written["file"], written["function"]


def _wanted(function: Callable[..., Any]) -> int:
    """How many of prompt, options and context the function takes; what has another default keeps that."""
    parameters = [one for one in inspect.signature(function).parameters.values() if one.kind in _IN_ORDER]
    if any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters):
        return 3
    given = takewhile(lambda one: one.default is inspect.Parameter.empty or one.name in _GIVEN, parameters)
    return len(list(given))


_GIVEN = ("prompt", "options", "context")
_IN_ORDER = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
)
