"""How repeats count together."""

from dataclasses import replace

import pytest

from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.runs.result import Result
from sensecheck.runs.tally import Tried

ONE = Result(1, "k", "test", {}, "", "", "model", Verdict("test", "pass", "it is so"), ())
WORDS: dict[str, Outcome] = {"p": "pass", "f": "fail", "u": "unsure", "e": "error"}


def tried(outcomes: str, passes: int) -> Tried:
    return Tried(
        tuple(
            replace(ONE, verdict=replace(ONE.verdict, outcome=WORDS[one]), runs=len(outcomes), passes=passes)
            for one in outcomes
        )
    )


@pytest.mark.parametrize(
    ("outcomes", "passes", "wanted"),
    [
        ("p", 1, "pass"),
        ("f", 1, "fail"),
        ("u", 1, "unsure"),
        ("e", 1, "error"),
        ("ppf", 2, "pass"),
        ("pff", 2, "fail"),
        ("puf", 2, "unsure"),
        ("pef", 2, "error"),
        ("peu", 2, "error"),
        ("ppe", 2, "pass"),
        ("ffe", 2, "fail"),
        ("ffu", 2, "fail"),
    ],
)
def test_a_test_is_decided_once_what_is_open_cannot_tip_it(outcomes: str, passes: int, wanted: str) -> None:
    assert tried(outcomes, passes).outcome == wanted


@pytest.mark.parametrize(
    ("outcomes", "wanted"),
    [("p", ""), ("ppp", "consistent pass"), ("ff", "consistent fail"), ("ppf", "inconsistent 2/3")],
)
def test_repeats_are_consistent_or_not(outcomes: str, wanted: str) -> None:
    assert tried(outcomes, 1).consistency == wanted


def test_a_test_whose_repeats_were_cut_off_has_not_failed() -> None:
    cut = Tried((replace(ONE, runs=3, passes=2),))

    assert cut.outcome == "unsure"
