"""Verdicts are shown, stored and decided again."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.cutoff import Certificate, Cutoff, at_least, at_most
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.verdict import Verdict, could_not_judge, decide, promise_under, why_no_promise

FINITE = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(max_size=20)
SPANS = st.builds(Span, TEXTS, st.integers(0, 9), st.integers(0, 9), TEXTS)
EVIDENCE = st.builds(Evidence, TEXTS, st.none() | SPANS, st.none() | SPANS, st.none() | FINITE, TEXTS)
READINGS = st.builds(Reading, FINITE, TEXTS, st.lists(EVIDENCE, max_size=2).map(tuple), st.integers(0, 5))
CUTOFFS = st.builds(at_least, FINITE) | st.builds(at_most, FINITE)
LEAVES = st.builds(decide, TEXTS, READINGS, st.none() | CUTOFFS, st.none() | TEXTS)
VERDICTS = st.recursive(
    LEAVES,
    lambda parts: st.builds(
        Verdict,
        TEXTS,
        st.sampled_from(["pass", "fail", "unsure", "error"]),
        TEXTS,
        parts=st.lists(parts, max_size=3).map(tuple),
        sample=st.none() | TEXTS,
    ),
    max_leaves=4,
)


@given(VERDICTS)
def test_a_verdict_goes_to_json_and_back_unchanged(verdict: Verdict) -> None:
    assert Verdict.from_json(verdict.to_json()) == verdict
    assert Verdict.from_json(verdict.to_json()).to_json() == verdict.to_json()


@given(reading=READINGS, first=CUTOFFS, second=CUTOFFS)
def test_a_stored_verdict_decides_again_as_a_fresh_one(
    reading: Reading, first: Cutoff, second: Cutoff
) -> None:
    stored = Verdict.from_json(decide("check", reading, first, "mark").to_json())

    assert stored.with_cutoff(second) == decide("check", reading, second, "mark")


@pytest.mark.parametrize("outcome", ["fail", "unsure", "measured", "error"])
def test_only_a_pass_is_true(outcome: str) -> None:
    assert not Verdict.from_data({"check": "c", "outcome": outcome, "because": "b"})
    assert Verdict("c", "pass", "b")


def test_without_a_cutoff_it_is_measured() -> None:
    assert decide("check", Reading(0.5, "half"), None, None).outcome == "measured"


def test_a_cutoff_for_another_encoder_is_an_error_and_keeps_the_reading() -> None:
    fitted = Cutoff(0.1, "above", certificate=Certificate("labels", encoder="one"))
    verdict = decide("check", Reading(0.9, "near"), fitted, "other")

    assert verdict.outcome == "error"
    assert "fitted for the encoder `one`" in verdict.because
    assert verdict.with_cutoff(at_least(0.1)).outcome == "pass"


def test_a_verdict_without_a_reading_cannot_be_decided_again() -> None:
    with pytest.raises(CannotJudge, match="no reading"):
        could_not_judge("check", CannotJudge("why")).with_cutoff(at_least(0))


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_reading_must_be_a_number(value: float) -> None:
    with pytest.raises(CannotJudge, match="not a number"):
        Reading(value, "broken")


def test_an_unknown_key_or_outcome_is_refused() -> None:
    with pytest.raises(SpecError, match=r"did you mean `outcome`"):
        Verdict.from_data({"check": "c", "outcom": "pass", "because": "b"})
    with pytest.raises(SpecError, match="`passed` is not a known value"):
        Verdict.from_data({"check": "c", "outcome": "passed", "because": "b"})


def test_it_explains_itself_in_words() -> None:
    near = Evidence("nearest", Span("answer", 0, 2, "Hi"), Span("expected", 0, 5, "Hello"), 0.75, "see")
    verdict = decide("means", Reading(0.75, "they are near", (near,), 3), at_least(0.7), "mark")

    assert verdict.explain().splitlines() == [
        "PASS means: they are near",
        "  read 0.7500, needs at least 0.7 (uncalibrated)",
        "  unread characters: 3",
        "  - nearest: see answer[0:2] “Hi” ~ expected[0:5] “Hello” (0.750)",
    ]


def test_what_is_no_json_is_said_to_be_none() -> None:
    with pytest.raises(SpecError, match="needs a line of JSON"):
        Verdict.from_json("{")


def test_an_explanation_cannot_steer_a_terminal() -> None:
    hostile = Evidence("nearest", Span("answer", 0, 9, "\x1b]0;pwned\x07"))

    said = decide("c", Reading(0.5, "a\x1b[31mb", (hostile,)), None, None).explain()

    assert all(line.isprintable() for line in said.splitlines())


def test_json_is_one_line_of_plain_data() -> None:
    data = json.loads(decide("means", Reading(0.5, "né"), at_least(0.7), None).to_json())

    assert data == {
        "check": "means",
        "outcome": "fail",
        "because": "né",
        "reading": {"value": 0.5, "because": "né"},
        "cutoff": {"at_least": 0.7},
    }


@pytest.mark.parametrize(
    ("verdict", "brief"),
    [
        (Verdict("means", "error", "the text is empty"), "ERROR means: the text is empty"),
        (
            decide("near", Reading(0.5, "half"), at_least(0.7), None),
            "FAIL near 0.5, needs at least 0.7: half",
        ),
        (
            decide("far", Reading(0.123456, "near"), at_most(0.7), None),
            "PASS far 0.1235, needs at most 0.7: near",
        ),
        (
            decide("near", Reading(0.6, "half"), at_least(0.6, doubt=(0.5, 0.7)), None),
            "UNSURE near 0.6, unsure from 0.5 to 0.7: half",
        ),
        (decide("near", Reading(0.6, "half"), None, None), "MEASURED near 0.6: half"),
        (
            Verdict(
                "means",
                "fail",
                "facts: `two` is not there",
                parts=(
                    decide("near", Reading(0.9, "near"), at_least(0.7), None),
                    decide("facts", Reading(0, "`two` is not there"), at_least(1), None),
                ),
            ),
            "FAIL means, facts 0, needs at least 1: `two` is not there",
        ),
    ],
)
def test_in_brief_it_names_outcome_score_cutoff_and_reason(verdict: Verdict, brief: str) -> None:
    assert verdict.in_brief() == brief
    assert repr(verdict) == f"Verdict({brief})"


@given(VERDICTS)
def test_in_brief_it_is_one_short_printable_line(verdict: Verdict) -> None:
    assert len(repr(verdict)) < 240
    assert verdict.in_brief().isprintable()
    assert verdict.in_brief().startswith(verdict.outcome.upper())


def test_a_long_reason_is_cut_and_shows_it() -> None:
    assert Verdict("means", "fail", "why " * 100).in_brief().endswith("…")


def test_who_looks_for_a_promise_is_told_why_there_is_none() -> None:
    reading = Reading(0.9, "read")
    fitted = Cutoff(0.7, "above", certificate=Certificate("rows", promise="few", check="means#12"))
    alone = Cutoff(0.7, "above", certificate=Certificate("rows", promise="few"))

    assert why_no_promise(could_not_judge("means", CannotJudge("no answer"))) == "nothing was decided"
    assert why_no_promise(decide("means", reading, at_least(0.7), None)) == "the cutoff was picked by hand"
    assert (
        why_no_promise(decide("mine", reading, fitted, None)) == "the cutoff was fitted for the check `means`"
    )
    assert "fitted on readings alone, and `mine`" in why_no_promise(decide("mine", reading, alone, None))


def test_a_promise_is_about_the_verdicts_of_its_own_check() -> None:
    certificate = Certificate("rows", promise="few pass", check="means#12", kept_by="means")
    part = decide("entailment", Reading(0.9, "read"), Cutoff(0.7, "above", certificate=certificate), None)

    assert promise_under(Verdict("means", "pass", "said", parts=(part,))) == "few pass"
    assert promise_under(Verdict("other", "pass", "said", parts=(part,))) == ""
    assert promise_under(Verdict("means", "error", "said", parts=(part,))) == ""
