"""What `--fail-on worse` makes of two runs that were compared."""

from collections.abc import Sequence
from typing import Protocol

from sensecheck.cli.outcomes import FAILED, NOT_JUDGED, PASSED
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown

WORSE = "worse"


class Compared(Protocol):
    """Two runs, held against each other."""

    @property
    def worse(self) -> Sequence[object]:
        """What fell by more than chance."""
        ...

    @property
    def not_known(self) -> Sequence[str]:
        """Why nobody knows whether it got worse, in words."""
        ...


def must_be_known(fail_on: str | None) -> None:
    """Raise for anything but `worse`, or nothing."""
    if fail_on not in (None, WORSE):
        raise SpecError(unknown("`--fail-on`", fail_on, [WORSE]))


def judged(found: Compared, fail_on: str | None) -> int:
    """The exit code. A fall is one whatever else is missing; without any, nobody knows of what is gone."""
    if fail_on is None:
        return PASSED
    for reason in found.not_known:
        Paper(stderr=True).say(safe(reason), label=("not judged: ", "bold magenta"))
    if found.worse:
        return FAILED
    return NOT_JUDGED if found.not_known else PASSED
