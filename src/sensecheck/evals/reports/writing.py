"""A run to a file; the name of the file says in which form."""

from collections.abc import Callable, Iterator
from pathlib import Path

from sensecheck.core.errors import SpecError
from sensecheck.evals.reports.csv_report import csv_pieces
from sensecheck.evals.reports.json_report import json_pieces
from sensecheck.evals.reports.jsonl_report import jsonl_pieces
from sensecheck.evals.reports.junit import junit_pieces
from sensecheck.evals.reports.markdown import markdown_pieces
from sensecheck.evals.reports.promptfoo import promptfoo_pieces
from sensecheck.evals.run_file import RunFile
from sensecheck.io.atomic import whole_file

Pieces = Callable[[RunFile], Iterator[str]]

_HTML = ".html"
_PIECES: dict[str, Pieces] = {
    ".promptfoo.json": promptfoo_pieces,
    ".xml": junit_pieces,
    ".json": json_pieces,
    ".jsonl": jsonl_pieces,
    ".csv": csv_pieces,
    ".md": markdown_pieces,
}
SUFFIXES = (_HTML, *_PIECES)


def suffix_of(path: Path) -> str:
    """The ending that says in which form a report is written; another one is an error."""
    found = [suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix)]
    if not found:
        known = ", ".join(f"`{suffix}`" for suffix in SUFFIXES)
        raise SpecError(f"`{path}` names no form of report by its ending; known: {known}")
    return max(found, key=len)


def write_report(run: RunFile, path: Path) -> None:
    """Write the run in the form that the path's ending names, whole or not at all."""
    suffix = suffix_of(path)
    if path.exists() and path.samefile(run.path):
        raise SpecError(f"`{path}` is the run itself; a report wants another file")
    if suffix == _HTML:
        from sensecheck.evals.reports.html import write_html  # noqa: PLC0415 - only for those who want a page

        write_html(run, path)
        return
    with whole_file(path, errors="backslashreplace") as file:
        for piece in _PIECES[suffix](run):
            file.write(piece)
