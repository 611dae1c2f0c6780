"""Exit codes of all verbs: 0 passed, 1 failed, 2 the command is wrong, 3 no judgement, 4 not calibrated."""

from collections.abc import Iterable, Mapping

from sensecheck.core.errors import SampleError, SensecheckError, SpecError
from sensecheck.core.verdict import Outcome

PASSED = 0
FAILED = 1
ASKED_WRONGLY = 2
NOT_JUDGED = 3
NOT_CERTIFIABLE = 4
UNCALIBRATED = 4
INTERRUPTED = 130

_WRONG = "the command is wrong, or a file cannot be read"
_JUDGED = {
    PASSED: "every verdict is a pass",
    FAILED: "a verdict is a fail, and all could be judged",
    ASKED_WRONGLY: _WRONG,
    NOT_JUDGED: "no judgement: an error, unsure (and no fail), or only measured",
}
EXIT_CODES: Mapping[str, Mapping[int, str]] = {
    "check": _JUDGED,
    "ground": _JUDGED,
    "guard": {
        PASSED: "every query has its selection",
        ASKED_WRONGLY: "the command, the chain or the file is wrong",
        NOT_JUDGED: "a query could not be judged; its error stands in its place, and a prompt alone is not "
        "written",
    },
    "effects": {
        PASSED: "shown",
        ASKED_WRONGLY: "the command, the chain or a file is wrong",
        NOT_JUDGED: "a reference could not be judged; nothing was written",
    },
    "run": {
        PASSED: "every test passed, or the share that --pass-rate asks for",
        FAILED: "a test failed, and all could be judged",
        ASKED_WRONGLY: "a battery or the command is wrong; nothing was asked",
        NOT_JUDGED: "a test could not be judged, or stayed unsure (and none failed)",
        UNCALIBRATED: "a threshold is uncalibrated, under --require-calibrated; nothing was asked",
        INTERRUPTED: "interrupted; what was judged is saved",
    },
    "lint": {
        PASSED: "nothing was found",
        FAILED: "there is something to look at",
        ASKED_WRONGLY: "a battery is wrong, or cannot be read",
    },
    "eval": {
        PASSED: "every question was answered, and every answer read",
        ASKED_WRONGLY: "the command or a file is wrong",
        NOT_JUDGED: "a question was not answered, or an answer not read by a metric; all else is stored",
        INTERRUPTED: "interrupted; what was read is stored",
    },
    "runs compare": {
        PASSED: "compared; and, with --fail-on, not worse",
        FAILED: "worse, in the sense of --fail-on, whatever else could not be judged",
        ASKED_WRONGLY: "the command is wrong, or the runs have nothing in common",
        NOT_JUDGED: "not found worse, but not known: AFTER is not complete, a test of it could not be "
        "judged, or nothing could; under --fail-on worse also if a metric, an item or a number is missing "
        "in AFTER",
    },
    "runs report": {
        PASSED: "written",
        ASKED_WRONGLY: _WRONG,
        NOT_JUDGED: "written, of a run of a battery that was interrupted",
    },
    "runs weight": {
        PASSED: "a weight is recommended",
        ASKED_WRONGLY: "the command is wrong, or there are no labels",
        NOT_CERTIFIABLE: "no weight can be recommended: too few labels, or a gain within chance",
    },
    "calibrate": {
        PASSED: "the card was written",
        FAILED: "held-out rows break the promise; nothing was written, but under --keep-broken",
        ASKED_WRONGLY: _WRONG,
        NOT_JUDGED: "a row could not be judged",
        NOT_CERTIFIABLE: "not certifiable: too few labels for the promise; nothing was written",
    },
    "card check": {
        PASSED: "the promise holds on the new rows",
        FAILED: "the promise is broken, or the readings have moved",
        ASKED_WRONGLY: _WRONG,
        NOT_JUDGED: "a row could not be judged",
        NOT_CERTIFIABLE: "too few rows to say",
    },
    "train-head": {
        PASSED: "the head was written",
        ASKED_WRONGLY: "the command is wrong, a file cannot be read, or there are too few labels",
        NOT_JUDGED: "a row could not be read",
    },
    "serve": {
        PASSED: "it was stopped, and finished what it had accepted",
        ASKED_WRONGLY: "the command or a setting is wrong, or the database is of another version",
        NOT_JUDGED: "it could not start",
    },
    "db": {
        PASSED: "done, or all is as it should be",
        ASKED_WRONGLY: "the command is wrong, or the database is of another version, or not ours",
        NOT_JUDGED: "it failed, something is not as it should be, or the database does not answer",
        INTERRUPTED: "interrupted; the database is at a revision, and can be upgraded again",
    },
}
"""What each code means after each verb; all other verbs end with 0, 2 or 3."""
ALL_IN_A_LINE = "Exit: 0  pass  1  fail  2  misuse  3  no judgement  4  too few labelled rows"
WORST_FIRST: tuple[Outcome, ...] = ("error", "fail", "unsure", "measured", "pass")


def codes_of(verb: str, *examples: str) -> str:
    """The end of a verb's help: examples, and what its exit codes mean."""
    lines = [f"{code}  {meaning}" for code, meaning in EXIT_CODES[verb].items()]
    return "\n".join(
        (*(f"Example: {example}" for example in examples), *([""] if examples else []), "Exit codes:", *lines)
    )


def exit_code(outcomes: Iterable[Outcome]) -> int:
    """The code for all of these together: the worst outcome's."""
    worst = min(outcomes, key=WORST_FIRST.index)
    return {"pass": PASSED, "fail": FAILED}.get(worst, NOT_JUDGED)


def exit_code_of(error: SensecheckError) -> int:
    """The code when there is an error instead of a verdict."""
    return ASKED_WRONGLY if isinstance(error, SpecError | SampleError) else NOT_JUDGED
