"""The files that reports go to; that they can be written is known before anybody is asked."""

import os
from collections.abc import Sequence
from pathlib import Path

from sensecheck.core.errors import SpecError
from sensecheck.evals.reports.writing import suffix_of

BATTERY = "{battery}"
"""What stands for a battery in the name of a report."""


def files_for(battery: Path, outputs: Sequence[Path]) -> list[Path]:
    """Where the reports of this battery are written to."""
    return [path.with_name(path.name.replace(BATTERY, battery.stem)) for path in outputs]


def must_be_writable(batteries: Sequence[Path], outputs: Sequence[Path]) -> None:
    """Raise unless every battery has its own files, in folders that take them."""
    for path in outputs:
        suffix_of(path)
        if len(batteries) > 1 and BATTERY not in path.name:
            raise SpecError(f"`{path}` would be written once for each battery; put `{BATTERY}` into its name")
    taken: dict[str, Path] = {}
    for battery in batteries:
        for path in files_for(battery, outputs):
            other = taken.setdefault(str(path).casefold(), battery)
            if other is not battery:
                raise SpecError(
                    f"`{other}` and `{battery}` would both be written to `{path}`; rename one of them, "
                    "or run one at a time"
                )
            _must_take(path)


def _must_take(path: Path) -> None:
    """A report is written beside its place and then put there, so it is the folder that must allow it."""
    try:
        if path.is_dir():
            raise SpecError(f"`{path}` is a folder; a report wants the name of a file")
        folder = next(parent for parent in path.absolute().parents if parent.exists())
    except OSError as wrong:
        raise SpecError(f"`{path}` cannot be written: {wrong.strerror or wrong}") from wrong
    if not folder.is_dir():
        raise SpecError(f"`{path}` cannot be written: `{folder}` is no folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SpecError(f"`{path}` cannot be written: the folder `{folder}` does not allow it")
