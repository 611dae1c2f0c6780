"""Where guarded queries go: lines of JSON, or blocks for prompts; to standard output, or to a whole file."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sensecheck.cli.guarded import Guarded
from sensecheck.cli.inputs import count_lines
from sensecheck.cli.output import write_line
from sensecheck.cli.progress import bar
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.io.atomic import whole_file
from sensecheck.retrieval.prompt import Format
from sensecheck.retrieval.selection import Selection

Write = Callable[[str], None]


@contextmanager
def writing(path: Path | None) -> Iterator[Write]:
    """What writes a line; a file is there in whole at the end, or not at all."""
    if path is None:
        yield write_line
        return
    if str(path) == "-":
        raise SpecError("`-o` wants a file; without it, standard output is written to")
    with whole_file(path, errors="backslashreplace") as file:
        yield lambda line: print(line, file=file)


def shown(found: Iterable[Guarded], path: str, *, hidden: bool) -> Iterator[Guarded]:
    """The same, with a bar on standard error while they come, if that is a terminal."""
    with bar(hidden=hidden) as progress:
        task = progress.add_task("guarding", total=count_lines(path))
        for guarded in found:
            yield guarded
            progress.advance(task)


def tell(guarded: Guarded, block: Format | None, write: Write, *, as_json: bool) -> None:
    """One query: as data, or as the block that goes into its prompt.

    A bare block that cannot be had is raised: an empty file would say that nothing was kept.
    """
    if block is None:
        write(_json(guarded.to_data()))
    elif isinstance(guarded.found, Selection):
        text = block(guarded.found.kept)
        if as_json:
            write(_json({**guarded.named, "query": guarded.row.query, "prompt": text}))
        elif text:
            write(f"{text}\n")
    elif as_json:
        write(_json(guarded.to_data()))
    else:
        raise CannotJudge(f"{guarded.row.where}: {guarded.found}") from guarded.found


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)
