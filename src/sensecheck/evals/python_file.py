"""The functions of a Python file that a battery names."""

import asyncio
import hashlib
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from sensecheck.core.unicode import printable
from sensecheck.evals.node import Node
from sensecheck.evals.printing_aside import printing_aside
from sensecheck.io.redaction import quotes

RAISED = (Exception, SystemExit, asyncio.CancelledError)
"""What a user's own code may raise, and what is told of it then; only an interruption goes on."""
MAX_TEXT_CHARS = 200
"""As much of an exception's own text is shown."""
_LOOKS_LIKE_KEY = re.compile(
    r"\b(?:sk|pk|rk|hf|gh[opsu]|github_pat|glpat|xox[a-z])[-_][\w*-]{6,}|\b(?:AKIA|AIza)[\w-]{12,}"
    r"|(?<=\bbearer )\S+|(?<=://)[^\s/@]+(?=@)",
    re.IGNORECASE,
)
"""Keys by their usual shapes: a library may quote one that stands in no variable and no `config`."""


def function_of(
    path: Path, names: Sequence[str], asked: Node, *, private: Iterable[str] = ()
) -> Callable[..., Any]:
    """The first of the names that the file has a function for; what is wrong is told at `asked`'s place.

    No message repeats what is `private`: keys.
    """
    module = _module(path, asked, private)
    for name in names:
        if callable(found := getattr(module, name, None)):
            return found  # type: ignore[no-any-return]  # what a user's file holds has no type
    wanted = " or ".join(f"`{name}`" for name in names)
    raise asked.wrong(f"`{path.name}` has no function {wanted}; write one, or name another after a colon")


def _module(path: Path, asked: Node, private: Iterable[str]) -> ModuleType:
    """The file, run anew; what lies beside it can be imported by it, also later."""
    if not path.is_file():
        raise asked.wrong(f"the file `{path}` is not there")
    name = f"sensecheck_source_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    described = spec_from_file_location(name, path)
    if described is None or described.loader is None:
        raise asked.wrong(f"the file `{path}` is no Python file")
    module = module_from_spec(described)
    sys.modules[name] = module
    try:
        with printing_aside():
            described.loader.exec_module(module)
    except RAISED as raised:  # the user's own code may raise anything
        del sys.modules[name]
        raise asked.wrong(f"the file `{path}` cannot be run: {told(raised, private=private)}") from raised
    return module


def told(raised: BaseException, *, private: Iterable[str] = ()) -> str:
    """Its kind, the user's own line, where below that it was raised, and its text unless that is private."""
    missing = raised.name if isinstance(raised, ModuleNotFoundError) else None
    kind = f"{type(raised).__name__}{f' for `{missing}`' if missing else ''}"
    said = raised.msg if isinstance(raised, SyntaxError) else "" if missing else str(raised)
    whole = _LOOKS_LIKE_KEY.sub("[key]", " ".join(said.split()))
    words = printable(whole[: 2 * MAX_TEXT_CHARS])  # twice: a key may lie on the cut
    if any(quotes(words, text) for text in private):
        return f"{kind}{_where(raised)}, with a text that repeats the prompt, or a key"
    text = words if len(words) <= MAX_TEXT_CHARS else f"{words[:MAX_TEXT_CHARS]}…"
    return f"{kind}{_where(raised)}{': ' if text else ''}{text}"


def _where(raised: BaseException) -> str:
    if isinstance(raised, SyntaxError):
        return f" at `{Path(raised.filename).name}`, line {raised.lineno}" if raised.filename else ""
    every = traceback.extract_tb(raised.__traceback__)
    frames = [frame for frame in every if not _is_between(frame.filename)]
    if not frames:
        return ""
    own = [frame for frame in frames if frame.filename == frames[0].filename][-1]
    place = f" at `{Path(own.filename).name}`, line {own.lineno}"
    last = frames[-1]
    return place if last is own else f"{place}, in `{Path(last.filename).name}`, line {last.lineno}"


def _is_between(file: str) -> bool:
    """Whether it is our own file, or one of Python's that calls the user's: imports and event loops."""
    ways = (Path(__file__).parents[1], Path(asyncio.__file__).parent)
    return file.startswith("<frozen") or any(Path(file).is_relative_to(way) for way in ways)


def waited_for(given: Any) -> Any:
    """What a function returned; what an asynchronous one will, once it is there."""

    async def awaited() -> Any:
        return await given

    return asyncio.run(awaited()) if inspect.isawaitable(given) else given
