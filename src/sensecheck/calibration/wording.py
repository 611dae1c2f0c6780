"""What a card promises, in words."""

from collections.abc import Sequence

from sensecheck.calibration.target import Errors, Method, Target

_WHAT: dict[Errors, str] = {
    "false_accepts": "of new bad answers of the same kind, at most {share:g}% pass",
    "false_rejects": "of new good answers of the same kind, at most {share:g}% fail",
}


def promise_of(method: Method, targets: Sequence[Target]) -> str:
    """What holds on new answers; a line that promises nothing says so."""
    if method == "best_f1":
        return (
            "promises nothing on new answers: of all lines, this one found the bad ones best (F1) among the "
            "rows that it was fitted on"
        )
    told = "; ".join(_exact(target) if method == "exact" else _conformal(target) for target in targets)
    return told if method == "conformal" or len(targets) == 1 else f"{told}; each with its own confidence"


def _exact(target: Target) -> str:
    return f"{target.in_words()}: {_what(target)}"


def _conformal(target: Target) -> str:
    return (
        f"{target.errors.replace('_', ' ')} <= {100 * target.at_most:g}% on average over many fits, "
        f"with no stated confidence for this one: {_what(target)}, on that average"
    )


def _what(target: Target) -> str:
    return _WHAT[target.errors].format(share=100 * target.at_most)
