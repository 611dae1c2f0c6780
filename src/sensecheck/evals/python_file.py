"""The functions of a Python file that a battery names."""

import asyncio
import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from sensecheck.evals.node import Node
from sensecheck.evals.printing_aside import printing_aside

RAISED = (Exception, SystemExit, asyncio.CancelledError)
"""What a user's own code may raise, and what is told of it then; only an interruption goes on."""


def function_of(path: Path, names: Sequence[str], asked: Node) -> Callable[..., Any]:
    """The first of the names that the file has a function for; what is wrong is told at `asked`'s place."""
    module = _module(path, asked)
    for name in names:
        if callable(found := getattr(module, name, None)):
            return found  # type: ignore[no-any-return]  # what a user's file holds has no type
    wanted = " or ".join(f"`{name}`" for name in names)
    raise asked.wrong(f"`{path.name}` has no function {wanted}; write one, or name another after a colon")


def _module(path: Path, asked: Node) -> ModuleType:
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
        raise asked.wrong(f"the file `{path}` cannot be run: {told(raised)}") from raised
    return module


def told(raised: BaseException) -> str:
    """Its kind and the line where it was raised; its text may repeat what was asked, or a key."""
    if isinstance(raised, SyntaxError):
        file, line = raised.filename, raised.lineno
    else:
        frame = traceback.extract_tb(raised.__traceback__)[-1]
        file, line = frame.filename, frame.lineno
    missing = raised.name if isinstance(raised, ModuleNotFoundError) else None
    kind = f"{type(raised).__name__}{f' for `{missing}`' if missing else ''}"
    return f"{kind} at `{Path(file).name}`, line {line}" if file else kind


def waited_for(given: Any) -> Any:
    """What a function returned; what an asynchronous one will, once it is there."""

    async def awaited() -> Any:
        return await given

    return asyncio.run(awaited()) if inspect.isawaitable(given) else given
