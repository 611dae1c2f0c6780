"""The metric inside the real DeepEval."""

import asyncio
from typing import Any

import pytest

deepeval = pytest.importorskip("deepeval", reason="DeepEval is not installed here; `just adapters` tests it")

from deepeval.evaluate.configs import AsyncConfig, DisplayConfig, ErrorConfig  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402

from sensecheck.adapters.deepeval import SensecheckMetric  # noqa: E402
from sensecheck.core.errors import CannotJudge, SpecError  # noqa: E402
from sensecheck.sense import Sense  # noqa: E402
from tests.adapters.pages import code_of  # noqa: E402

REFERENCE = "Tablets are lent for three weeks."


def case(answer: str, expected: str | None = REFERENCE) -> LLMTestCase:
    return LLMTestCase(input="How long are tablets lent?", actual_output=answer, expected_output=expected)


def quietly(run_async: bool, *, ignore_errors: bool = False) -> dict[str, object]:
    return {
        "async_config": AsyncConfig(run_async=run_async),
        "display_config": DisplayConfig(show_indicator=False, print_results=False),
        "error_config": ErrorConfig(ignore_errors=ignore_errors),
    }


def test_a_metric_measures_and_says_why(sense: Sense) -> None:
    metric = SensecheckMetric("means", sense=sense)

    assert metric.measure(case("Tablets may be lent for three weeks.")) == 1.0
    assert metric.is_successful()
    assert metric.measure(case("Tablets are lent for two weeks.")) == 0.0
    assert not metric.is_successful()
    assert "`two weeks`" in metric.reason


def test_what_is_unsure_is_no_success_unless_the_threshold_says_so(sense: Sense) -> None:
    doubtful = case("You can borrow a tablet for three weeks.")

    for threshold, successful in ((1.0, False), (0.5, True)):
        metric = SensecheckMetric(threshold=threshold, sense=sense)
        assert metric.measure(doubtful) == 0.5
        assert metric.reason.startswith("unsure: ")
        assert metric.is_successful() is successful


def test_a_metric_can_be_awaited(sense: Sense) -> None:
    metric = SensecheckMetric({"kind": "keeps_facts"}, sense=sense)

    assert asyncio.run(metric.a_measure(case("Tablets are lent for three weeks."))) == 1.0


@pytest.mark.parametrize("run_async", [True, False])
def test_deepeval_evaluates_with_copies_of_the_metric(sense: Sense, run_async: bool) -> None:
    cases = [case("Tablets are lent for three weeks."), case("Tablets are lent for two weeks.")]
    found = deepeval.evaluate(cases, [SensecheckMetric(sense=sense)], **quietly(run_async))

    assert [result.success for result in found.test_results] == [True, False]
    (data,) = found.test_results[1].metrics_data
    assert data.name == "sensecheck means"
    assert data.reason.startswith("fail: fact_agreement")


def test_what_cannot_be_judged_is_an_error_and_no_score(sense: Sense) -> None:
    metric = SensecheckMetric(sense=sense)
    with pytest.raises(CannotJudge, match="no `expected` answer"):
        metric.measure(case("Three weeks.", expected=None))

    assert metric.score is None
    assert metric.is_successful() is False
    assert "no `expected` answer" in metric.error


def test_an_error_that_deepeval_is_told_to_ignore_is_still_reported_as_one(sense: Sense) -> None:
    found = deepeval.evaluate(
        [case("Three weeks.", expected=None)],
        [SensecheckMetric(sense=sense)],
        **quietly(run_async=False, ignore_errors=True),
    )
    (data,) = found.test_results[0].metrics_data

    assert not found.test_results[0].success
    assert data.score is None
    assert "could not judge" in data.error


def test_a_pass_does_not_outlive_its_test_case(sense: Sense) -> None:
    metric = SensecheckMetric(sense=sense)
    metric.measure(case("Tablets are lent for three weeks."))
    with pytest.raises(CannotJudge):
        metric.measure(case("Three weeks.", expected=None))

    assert metric.score is None
    assert not metric.success


def test_passages_come_from_the_retrieval_context(sense: Sense) -> None:
    metric = SensecheckMetric("grounded", sense=sense)
    asked = LLMTestCase(
        input="How long?",
        actual_output="Tablets can be borrowed for two weeks.",
        retrieval_context=["Tablets can be borrowed from the library for three weeks."],
    )

    assert metric.measure(asked) == 0.0


def test_a_slip_in_the_check_is_told_when_the_metric_is_made() -> None:
    with pytest.raises(SpecError, match="means"):
        SensecheckMetric("meens")


def test_the_code_of_our_page_runs() -> None:
    page: dict[str, Any] = {}
    exec(code_of("from-deepeval.md", "SensecheckMetric"), page)

    page["test_the_lending_period"]()
