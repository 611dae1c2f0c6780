"""Exit codes: 0 passed, 1 failed, 2 the command is wrong, 3 could not judge, 4 no calibrated cutoff."""

from collections.abc import Iterable

from sensecheck.core.errors import SampleError, SensecheckError, SpecError
from sensecheck.core.verdict import Outcome

PASSED = 0
FAILED = 1
ASKED_WRONGLY = 2
NOT_JUDGED = 3
NOT_CERTIFIABLE = 4
UNCALIBRATED = 4
INTERRUPTED = 130

IN_WORDS = "\n".join(
    (
        "Exit codes:",
        "0  every verdict is a pass",
        "1  a verdict is a fail, and all could be judged",
        "2  the command is wrong, or a file cannot be read",
        "3  no judgement: an error, unsure (and no fail), or only measured",
    )
)
ALL_IN_A_LINE = "Exit: 0  pass  1  fail  2  misuse  3  no judgement  4  too few labelled rows"
WORST_FIRST: tuple[Outcome, ...] = ("error", "fail", "unsure", "measured", "pass")


def exit_code(outcomes: Iterable[Outcome]) -> int:
    """The code for all of these together: the worst outcome's."""
    worst = min(outcomes, key=WORST_FIRST.index)
    return {"pass": PASSED, "fail": FAILED}.get(worst, NOT_JUDGED)


def exit_code_of(error: SensecheckError) -> int:
    """The code when there is an error instead of a verdict."""
    return ASKED_WRONGLY if isinstance(error, SpecError | SampleError) else NOT_JUDGED
