"""A source that is a function of a Python file, and what calling a user's code takes.

What the code prints goes to the standard error, since the standard output is for results; what it raises is
described without keys and prompts.
"""

import asyncio
import hashlib
import inspect
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from itertools import takewhile
from pathlib import Path
from threading import Lock, local
from types import ModuleType
from typing import Any, TextIO

from sensecheck.core.unicode import printable
from sensecheck.documents.node import Node
from sensecheck.io.redaction import quotes
from sensecheck.sources.source import (
    Answer,
    NoAnswer,
    Question,
    SourceOptions,
    SourceSpec,
    answer_from,
    digest,
    keys_in,
    keys_of,
)

RAISED = (Exception, SystemExit, asyncio.CancelledError)
"""What a user's own code may raise without ending the run; only an interruption goes on."""
MAX_TEXT_CHARS = 200
"""As much of an exception's own text is shown."""
DEFAULTS = ("call_api", "answer")
"""The functions that are looked for when the id names none."""
FOREIGN = ("pythonExecutable", "timeout")
_WRITTEN = re.compile(r"(?:file://|python:)(?P<file>.+\.py)(?::(?P<function>\w+))?")
_LOOKS_LIKE_KEY = re.compile(
    r"\b(?:sk|pk|rk|hf|gh[opsu]|github_pat|glpat|xox[a-z])[-_][\w*-]{6,}|\b(?:AKIA|AIza)[\w-]{12,}"
    r"|(?<=\bbearer )\S+|(?<=://)[^\s/@]+(?=@)",
    re.IGNORECASE,
)
"""Keys by their usual shapes: a library may quote one that stands in no variable and no `config`."""
_ARGUMENTS = ("prompt", "options", "context")
_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
)


@dataclass(frozen=True, slots=True)
class PythonSource:
    """Calls `call_api(prompt, options, context)`, as promptfoo does, or simply `answer(prompt)`."""

    label: str
    function: Callable[..., Any]
    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 1
    keys: frozenset[str] = field(default=frozenset(), repr=False)
    """What no message may repeat."""
    cacheable: bool = True

    @property
    def fingerprint(self) -> str:
        """Changes with all that is handed to the function; whether its code changed is not seen."""
        return f"python:{self.name}:{digest(self.label, dict(self.config))}"

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the function returns; what it raises is described by its kind, its line and its text."""
        before = time.perf_counter()
        try:
            returned = self._call(question)
        except RAISED as raised:
            private = (question.prompt, *self.keys)
            return NoAnswer(f"`{self.name}` raised {_in_words(raised, private=private)}")
        latency_ms = (time.perf_counter() - before) * 1000
        return answer_from(returned, latency_ms, who=f"`{self.name}`", prompt=question.prompt, keys=self.keys)

    def _call(self, question: Question) -> Any:
        options = {"config": dict(self.config), "label": self.label}
        context = {"vars": dict(question.vars), "prompt": {"raw": question.prompt}, "repeat": question.repeat}
        everything = (question.prompt, options, context)
        with printing_aside():
            return waited_for(self.function(*everything[: _argument_count(self.function)]))


def fits(source_id: str) -> bool:
    """Whether an id names a Python file."""
    return _WRITTEN.fullmatch(source_id) is not None


def check(spec: SourceSpec) -> int:
    """How many calls at once the file allows; all other keys are the function's own."""
    keys = keys_of(spec.config, spec.id, None, foreign=FOREIGN)
    return keys["workers"].whole("`workers`", least=1) if "workers" in keys else 1


def load(spec: SourceSpec, options: SourceOptions) -> PythonSource:
    """The function; one call at a time, unless `workers` in its config says more."""
    written = _WRITTEN.fullmatch(spec.id)
    if written is None:
        raise spec.config.error(f"`{spec.id}` names no Python file")
    file, function_name = written["file"], written["function"]
    config = spec.config.plain()
    keys = keys_in([options.environment, config])
    names = (function_name,) if function_name else DEFAULTS
    function = function_of(options.folder / file, names, spec.config, private=keys)
    name = f"{file}:{getattr(function, '__name__', function_name)}"
    return PythonSource(spec.label, function, name, config, check(spec), keys)


def function_of(
    path: Path, names: Sequence[str], node: Node, *, private: Iterable[str] = ()
) -> Callable[..., Any]:
    """The first of the names that the file has a function for; what is wrong is reported at `node`'s place.

    No message repeats what is `private`: keys.
    """
    module = _module(path, node, private)
    for name in names:
        if callable(function := getattr(module, name, None)):
            return function  # type: ignore[no-any-return]  # what a user's file holds has no type
    choices = " or ".join(f"`{name}`" for name in names)
    raise node.error(f"`{path.name}` has no function {choices}; write one, or name another after a colon")


def waited_for(given: Any) -> Any:
    """What a function returned; what an asynchronous one will, once it is there."""

    async def awaited() -> Any:
        return await given

    return asyncio.run(awaited()) if inspect.isawaitable(given) else given


def _module(path: Path, node: Node, private: Iterable[str]) -> ModuleType:
    """The file, run anew; what is next to it can be imported by it, also later."""
    if not path.is_file():
        raise node.error(f"the file `{path}` is not there")
    name = f"sensecheck_source_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    module_spec = spec_from_file_location(name, path)
    if module_spec is None or module_spec.loader is None:
        raise node.error(f"the file `{path}` is no Python file")
    module = module_from_spec(module_spec)
    sys.modules[name] = module
    try:
        with printing_aside():
            module_spec.loader.exec_module(module)
    except RAISED as raised:  # the user's own code may raise anything
        del sys.modules[name]
        raise node.error(f"the file `{path}` cannot be run: {_in_words(raised, private=private)}") from raised
    return module


def _argument_count(function: Callable[..., Any]) -> int:
    """How many of prompt, options and context the function takes; what has another default keeps that."""
    parameters = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind in _POSITIONAL
    ]
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters):
        return 3
    arguments = takewhile(
        lambda parameter: parameter.default is inspect.Parameter.empty or parameter.name in _ARGUMENTS,
        parameters,
    )
    return len(list(arguments))


def _in_words(raised: BaseException, *, private: Iterable[str] = ()) -> str:
    """Its kind, the user's own line, where below that it was raised, and its text unless that is private."""
    missing = raised.name if isinstance(raised, ModuleNotFoundError) else None
    kind = f"{type(raised).__name__}{f' for `{missing}`' if missing else ''}"
    message = raised.msg if isinstance(raised, SyntaxError) else "" if missing else str(raised)
    whole = _LOOKS_LIKE_KEY.sub("[key]", " ".join(message.split()))
    words = printable(whole[: 2 * MAX_TEXT_CHARS])  # twice: a key may be on the cut
    if any(quotes(words, text) for text in private):
        return f"{kind}{_where(raised)}, with a text that repeats the prompt, or a key"
    text = words if len(words) <= MAX_TEXT_CHARS else f"{words[:MAX_TEXT_CHARS]}…"
    return f"{kind}{_where(raised)}{': ' if text else ''}{text}"


def _where(raised: BaseException) -> str:
    if isinstance(raised, SyntaxError):
        return f" at `{Path(raised.filename).name}`, line {raised.lineno}" if raised.filename else ""
    all_frames = traceback.extract_tb(raised.__traceback__)
    frames = [frame for frame in all_frames if not _is_between(frame.filename)]
    if not frames:
        return ""
    user_frame = [frame for frame in frames if frame.filename == frames[0].filename][-1]
    place = f" at `{Path(user_frame.filename).name}`, line {user_frame.lineno}"
    last = frames[-1]
    return place if last is user_frame else f"{place}, in `{Path(last.filename).name}`, line {last.lineno}"


def _is_between(file: str) -> bool:
    """Whether it is our own file, or one of Python's that calls the user's: imports and event loops."""
    folders = (Path(__file__).parents[1], Path(asyncio.__file__).parent)
    return file.startswith("<frozen") or any(Path(file).is_relative_to(folder) for folder in folders)


class _SwitchedOutput:
    """An output that is the standard error for threads that run a user's code, and itself for all others."""

    def __init__(self, usual: TextIO) -> None:
        self.usual = usual
        self.users = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if _depth() else self.usual, name)


_SWITCHING = Lock()
_INSIDE = local()  # of the module, because a user's code may hold on to an output of an earlier block


@contextmanager
def printing_aside() -> Iterator[None]:
    """Within this block, what this thread prints goes to the standard error; what others print does not."""
    with _SWITCHING:
        output = sys.stdout if isinstance(sys.stdout, _SwitchedOutput) else _SwitchedOutput(sys.stdout)
        output.users += 1
        sys.stdout = output
    _INSIDE.depth = _depth() + 1
    try:
        yield
    finally:
        _INSIDE.depth -= 1
        with _SWITCHING:
            output.users -= 1
            if not output.users:  # also where a user's code has put another in its place
                sys.stdout = output.usual


def _depth() -> int:
    """How many of these blocks this thread is in."""
    return getattr(_INSIDE, "depth", 0)
