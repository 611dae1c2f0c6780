"""What a line is to promise, and how surely."""

import json

import pytest

from sensecheck.calibration.target import Target
from sensecheck.core.errors import SpecError
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows

ROWS = normal_rows(1, 200, 200)


def test_the_exact_method_always_states_its_confidence() -> None:
    assert FPR.with_method("exact") == Target("false_accepts", 0.05, 0.95)
    assert card_of(ROWS, FPR).targets == (Target("false_accepts", 0.05, 0.95),)
    assert Target("false_accepts", 0.05, 0.9).with_method("exact").confidence == 0.9


def test_a_conformal_card_states_no_confidence() -> None:
    card = card_of(ROWS, FPR, method="conformal")

    assert card.targets == (FPR,)
    assert json.loads(card.to_json())["targets"] == [{"fpr": 0.05}]
    assert "no stated confidence" in card.promise
    with pytest.raises(SpecError, match="`confidence` is for the method `exact`; `conformal` keeps"):
        Target("false_accepts", 0.05, 0.95).with_method("conformal")


def test_leaving_the_confidence_out_is_asking_for_the_usual_one() -> None:
    assert card_of(ROWS, FPR) == card_of(ROWS, FPR.with_method("exact"))


@pytest.mark.parametrize("target", [FPR, FNR, FPR.with_method("exact"), Target("false_rejects", 0.1, 0.8)])
def test_a_target_goes_to_data_and_back(target: Target) -> None:
    assert Target.from_data(json.loads(json.dumps(target.to_data()))) == target


def test_a_target_is_told_with_its_confidence_if_it_has_one() -> None:
    assert FPR.describe() == "false accepts <= 5%"
    assert FPR.with_method("exact").describe() == "false accepts <= 5% with 95% confidence"


def test_a_promise_implies_weaker_ones_and_an_average_implies_none() -> None:
    strict, sure = Target("false_accepts", 0.01, 0.95), Target("false_accepts", 0.05, 0.99)

    assert strict.implies(FPR.with_method("exact"))
    assert sure.implies(FPR.with_method("exact"))
    assert not strict.implies(sure)
    assert not strict.implies(FNR.with_method("exact"))
    assert not strict.implies(FPR)
    assert not FPR.implies(FPR)


@pytest.mark.parametrize(
    "data", [{"fpr": 0.05, "confidence": 1.0}, {"fpr": 0.05, "confidence": 0}, {"fpr": 1}, {}, 0.05]
)
def test_a_target_that_is_none_is_an_error(data: object) -> None:
    with pytest.raises(SpecError, match=r"must (be|have) .*; got "):
        Target.from_data(data)
