"""The labelled answers behind the lines of a battery, wherever they still lie."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from sensecheck.cli.rows import Rows
from sensecheck.evals.battery import Battery
from sensecheck.evals.lint.finding import Finding
from sensecheck.evals.lint.leaked import data_with_exemplars

Answers = dict[str, tuple[str, ...]]


def answers_behind(battery: Battery, named: Sequence[Path]) -> tuple[Answers, list[Finding]]:
    """The answers of each file that a line with exemplars was fitted on; and which are not here."""
    found: Answers = {}
    missing: list[Finding] = []
    for test in battery.read_tests():
        for data in data_with_exemplars(test.check):
            if data in found:
                continue
            name = data.partition("#")[0]
            places = [path for path in (*named, battery.folder / name, Path(name)) if path.name == name]
            found[data] = next(_read(places, data), ())
            if not found[data]:
                says = (
                    f"a line was fitted on `{data}`, which is not here, so its exemplars could not be held "
                    "against it; name the file with --labelled"
                )
                missing.append(Finding(str(test.place), "calibration-set-not-found", says))
    return found, missing


def _read(places: Sequence[Path], data: str) -> Iterator[tuple[str, ...]]:
    for path in places:
        if path.is_file():
            rows = Rows.of(str(path))
            if rows.sha256.startswith(data.partition("#")[2]):
                yield tuple(str(row.values["answer"]) for row in rows.rows if "answer" in row.values)
