"""The scorer inside the real MLflow."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed here; `just adapters` tests it")

from sensecheck.adapters.mlflow import sensecheck_scorer  # noqa: E402
from sensecheck.core.errors import CannotJudge, SpecError  # noqa: E402
from sensecheck.sense import Sense  # noqa: E402
from tests.adapters.pages import code_of  # noqa: E402

EXPECTED = {"expected_response": "Tablets are lent for three weeks."}


@pytest.fixture(autouse=True)
def tracked(tmp_path: Path) -> Iterator[None]:
    """Runs are kept in a folder of the test."""
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    mlflow.set_experiment("library")
    yield
    mlflow.set_tracking_uri(None)


def row(answer: str, expectations: dict[str, Any]) -> dict[str, Any]:
    return {"inputs": {"question": "How long?"}, "outputs": answer, "expectations": expectations}


def test_mlflow_evaluates_with_the_scorer(sense: Sense) -> None:
    data = [
        row("Tablets may be lent for three weeks.", EXPECTED),
        row("Tablets are lent for two weeks.", EXPECTED),
    ]
    found = mlflow.genai.evaluate(data=data, scorers=[sensecheck_scorer(sense=sense)])

    assert found.metrics["means/mean"] == 0.5
    assert sorted(found.result_df["means/value"]) == [False, True]


def test_what_cannot_be_judged_has_an_error_and_no_value(sense: Sense) -> None:
    rows = [row("Three weeks.", {}), row("Tablets are lent for two weeks.", EXPECTED)]
    found = mlflow.genai.evaluate(data=rows, scorers=[sensecheck_scorer(sense=sense)])

    assert found.metrics["means/mean"] == 0.0
    errors = [
        one["feedback"]["error"]
        for assessments in found.result_df["assessments"]
        for one in assessments
        if one["assessment_name"] == "means" and "error" in one["feedback"]
    ]
    assert "no `expected` answer" in errors[0]["error_message"]


def test_a_scorer_can_be_called_as_it_is(sense: Sense) -> None:
    scorer = sensecheck_scorer("grounded", name="from_the_passage", sense=sense)
    passages = ["Tablets can be borrowed from the library for three weeks."]
    found = scorer(
        inputs={}, outputs="Tablets can be borrowed for two weeks.", expectations={"passages": passages}
    )

    assert found.value is False
    assert found.metadata["outcome"] == "fail"
    with pytest.raises(CannotJudge):
        scorer(inputs={}, outputs="Tablets can be borrowed for two weeks.", expectations={})


def test_a_slip_in_the_check_is_told_when_the_scorer_is_made() -> None:
    with pytest.raises(SpecError, match="means"):
        sensecheck_scorer("meens")


def test_the_code_of_our_page_runs() -> None:
    page: dict[str, Any] = {}
    exec(code_of("use-in-other-tools.md", "mlflow"), page)

    assert page["found"].metrics["means/mean"] == 1.0
