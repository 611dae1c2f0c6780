"""The line, its good side, its band of doubt, its certificate."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.cutoff import Certificate, ClaimsCutoff, Cutoff, Rate, at_least, at_most
from sensecheck.core.errors import SpecError, StaleCutoff

NUMBERS = st.floats(-2, 2, allow_nan=False)


def test_the_line_itself_is_on_the_good_side() -> None:
    assert at_least(0.7).side(0.7) == "pass"
    assert at_most(0.7).side(0.7) == "pass"


def test_nothing_is_rounded_before_the_decision() -> None:
    assert at_least(0.7).side(math.nextafter(0.7, 0)) == "fail"
    assert at_most(0.7).side(math.nextafter(0.7, 1)) == "fail"


def test_a_line_at_zero_is_a_line() -> None:
    assert at_least(0.0).side(-0.001) == "fail"
    assert at_most(0.0).side(0.001) == "fail"


def test_inside_the_band_of_doubt_it_is_unsure() -> None:
    line = at_least(0.6, doubt=(0.5, 0.7))

    assert [line.side(value) for value in (0.49, 0.5, 0.6, 0.69, 0.7)] == [
        "fail",
        "unsure",
        "unsure",
        "unsure",
        "pass",
    ]


@given(value=NUMBERS, line=NUMBERS, width=st.floats(0, 1))
def test_above_and_below_mirror_each_other(value: float, line: float, width: float) -> None:
    above = at_least(line, doubt=(line - width, line + width))
    below = at_most(-line, doubt=(-line - width, -line + width))

    assert above.side(value) == below.side(-value)


@given(line=NUMBERS, one=NUMBERS, other=NUMBERS, width=st.floats(0, 1))
def test_a_better_reading_never_has_a_worse_side(line: float, one: float, other: float, width: float) -> None:
    order = ["fail", "unsure", "pass"]
    cutoff = at_least(line, doubt=(line - width, line + width))
    low, high = sorted((one, other))

    assert order.index(cutoff.side(low)) <= order.index(cutoff.side(high))


@pytest.mark.parametrize("line", [math.nan, math.inf])
def test_a_line_must_be_a_finite_number(line: float) -> None:
    with pytest.raises(SpecError, match="finite"):
        at_least(line)


def test_a_line_must_have_a_known_good_side_and_be_a_number() -> None:
    with pytest.raises(SpecError, match="did you mean `above`"):
        Cutoff(0.7, "Above")  # type: ignore[arg-type]  # a typo
    for wrong in (True, "0.7"):
        with pytest.raises(SpecError, match="finite"):
            at_least(wrong)  # type: ignore[arg-type]  # what a caller may write


def test_a_certificate_without_an_encoder_fits_only_what_reads_no_vectors() -> None:
    words_only = Cutoff(0.7, "above", certificate=Certificate("labels:abc"))

    words_only.require_encoder(None)
    with pytest.raises(StaleCutoff):
        words_only.require_encoder("minilm:1")


def test_a_line_outside_its_band_is_refused() -> None:
    with pytest.raises(SpecError, match="not inside its unsure band"):
        at_least(0.9, doubt=(0.5, 0.7))


def test_a_fitted_line_does_not_fit_another_encoder() -> None:
    fitted = Cutoff(0.7, "above", certificate=Certificate("labels:abc", encoder="minilm:1"))

    fitted.require_encoder("minilm:1")
    with pytest.raises(StaleCutoff, match=r"fitted for the encoder `minilm:1`; in use is `other:2`"):
        fitted.require_encoder("other:2")


def test_a_hand_picked_line_says_so() -> None:
    assert at_least(0.7).describe() == "at least 0.7 (uncalibrated)"
    assert not at_least(0.7).calibrated


def test_a_cutoff_goes_to_data_and_back() -> None:
    birth = Certificate("labels:abc", "minilm:1", "exact", "false accepts <= 5%", Rate(0.02, 0.01, 0.05, 300))
    for cutoff in (at_least(0.7), at_most(0.2, doubt=(0.1, 0.3)), Cutoff(0.5, "above", None, birth)):
        assert Cutoff.from_data(cutoff.to_data()) == cutoff


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"at_leest": 0.7}, "did you mean `at_least`"),
        ({"at_least": 0.7, "at_most": 0.2}, "got 2 of them"),
        ({"doubt": [0, 1]}, "got 0 of them"),
        ({"at_least": "0.7"}, "must be a number; got str"),
        ({"at_least": True}, "must be a number; got bool"),
        ({"at_least": 0.5, "doubt": [0.1]}, "must have 2 values; got 1"),
        (0.7, "must be a mapping"),
    ],
)
def test_a_cutoff_described_wrongly_is_an_error_that_says_what_is_wrong(data: object, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Cutoff.from_data(data)  # type: ignore[arg-type]  # what strangers write


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (((4, at_least(0.6)), (2, at_least(0.5))), "must count up"),
        (((2, at_least(0.6)), (2, at_least(0.5))), "must count up"),
        (((2, at_most(0.6)),), "must be a plain line with the good side of the whole"),
    ],
)
def test_lines_by_the_number_of_claims_count_up_and_have_one_good_side(
    lines: tuple[tuple[int, Cutoff], ...], said: str
) -> None:
    with pytest.raises(SpecError, match=said):
        Cutoff(0.7, "above", by_claims=tuple(ClaimsCutoff(count, one) for count, one in lines))


def test_an_unknown_good_side_is_refused_by_its_name() -> None:
    with pytest.raises(SpecError) as refused:
        Cutoff(0.5, "over")  # type: ignore[arg-type]  # what a caller may write
    assert str(refused.value) == (
        "`over` is not a known good side; did you mean `above`? known: `above`, `below`"
    )
