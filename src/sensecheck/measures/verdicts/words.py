"""The words and signs that say a verdict, and the words that may stand around them."""

from collections.abc import Mapping

PASS, EVEN, FAIL = 1.0, 0.5, 0.0


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


PLAIN_PASS = _set("pass passed passes passing yes true accept accepted approve approved")
PLAIN_FAIL = _set("fail failed fails failing failure no false reject rejected")
"""These are verdicts wherever they stand alone."""
APT = _set(
    "correct right valid acceptable satisfactory accurate supported faithful grounded consistent compliant "
    "ok okay"
)
UNAPT = _set(
    "incorrect wrong invalid unacceptable unsatisfactory inaccurate unsupported unfaithful ungrounded "
    "inconsistent noncompliant"
)
"""These are verdicts where one was announced: by a key, a mark or a label."""
UNDECIDED = _set(
    "tie tied draw equal equally even inconclusive undecided unsure uncertain indeterminate borderline mixed "
    "partial partially partly"
)
BOTH = _set("both neither")
"""Undecided where a preference was asked for."""
CONTESTANTS: Mapping[str, float] = {"a": PASS, "b": FAIL}
COUNTED: Mapping[str, float] = {"1": PASS, "2": FAIL, "first": PASS, "second": FAIL, "one": PASS, "two": FAIL}

WORDS: Mapping[str, float] = {
    **dict.fromkeys(PLAIN_PASS | APT, PASS),
    **dict.fromkeys(PLAIN_FAIL | UNAPT, FAIL),
    **dict.fromkeys(UNDECIDED, EVEN),
}
TRUTHS: Mapping[str, float] = {"yes": PASS, "true": PASS, "no": FAIL, "false": FAIL}
ALONE = PLAIN_PASS | PLAIN_FAIL | _set("correct incorrect tie") | frozenset(CONTESTANTS)

SIGNS: Mapping[str, float] = {**dict.fromkeys("✅✔☑👍🟢", PASS), **dict.fromkeys("❌✖✗✘✕👎🔴🚫⛔", FAIL)}

NEGATIONS = _set("not never cannot isnt wasnt arent doesnt didnt hasnt cant")
TO_NEGATE = _set("fail fails failed")
"""These negate before `to`: `fails to pass`."""
NAMED = _set("response answer output model assistant candidate option system submission solution agent text")
"""What may be called A or B, and what a verdict may be about."""
FILLERS = NAMED | _set(
    "a an the it this that its their my our i we is was are be been being has have does do did can could "
    "statement claim summary reply translation student ai user given final submitted provided generated "
    "considered deemed marked judged rated as clearly clear definitely definite strong strongly solid hard "
    "overall therefore thus so hence factually technically verdict result still also only"
)
"""These may stand before the word of a verdict: `the answer is clearly a …`."""
FULLY = _set("fully entirely completely totally absolutely wholly perfectly")
"""These too; but `not fully correct` is no verdict."""
