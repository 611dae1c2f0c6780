"""What a card promises, in words."""

from collections.abc import Sequence

from sensecheck.calibration.target import Errors, Method, Target

_WHAT: dict[Errors, str] = {
    "false_accepts": "of new bad answers of {kind}, at most {share:g}% pass{check}",
    "false_rejects": "of new good answers of {kind}, at most {share:g}% fail{check}",
}
_WHAT_OF_GROUPS: dict[Errors, str] = {
    "false_accepts": (
        "of bad answers of {kind}, one picked at random from each new {group}, at most {share:g}% pass{check}"
    ),
    "false_rejects": (
        "of good answers of {kind}, one picked at random from each new {group}, "
        "at most {share:g}% fail{check}"
    ),
}
"""One row of each group and label is counted, so that nothing is known of all rows of a large group."""


def promise_of(
    method: Method,
    targets: Sequence[Target],
    *,
    grouped: str | None,
    check: str | None = None,
    claims: str | None = None,
) -> str:
    """What holds on new answers, by the column that groups them; a line that promises nothing says so.

    With a `check` it is about that check's verdicts, and with `claims` about answers of so many of them.
    """
    if method == "best_f1":
        return (
            "promises nothing on new answers: of all lines, this one found the bad ones best (F1) among the "
            "rows that it was fitted on"
        )
    in_words = _exact if method == "exact" else _conformal
    told = "; ".join(in_words(target, _what(target, grouped, check, claims)) for target in targets)
    return told if method == "conformal" or len(targets) == 1 else f"{told}; each with its own confidence"


def _exact(target: Target, what: str) -> str:
    return f"{target.in_words()}: {what}"


def _conformal(target: Target, what: str) -> str:
    return (
        f"{target.errors.replace('_', ' ')} <= {100 * target.at_most:g}% on average over many fits, "
        f"with no stated confidence for this one: {what}, on that average"
    )


def _what(target: Target, grouped: str | None, check: str | None, claims: str | None) -> str:
    share = 100 * target.at_most
    kind = "the same kind" if claims is None else f"the same kind and of {claims}"
    whole = "" if check is None else f" `{check}`"
    if grouped is None:
        return _WHAT[target.errors].format(share=share, kind=kind, check=whole)
    group = "group" if grouped == "group" else f"group (`{grouped}`)"
    return _WHAT_OF_GROUPS[target.errors].format(share=share, group=group, kind=kind, check=whole)
