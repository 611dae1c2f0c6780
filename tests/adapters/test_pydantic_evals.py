"""The evaluator inside the real Pydantic Evals."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_evals", reason="Pydantic Evals is not installed here; `just adapters` tests it")

from pydantic_evals import Case, Dataset

from sensecheck.adapters.pydantic_evals import SensecheckEvaluator
from sensecheck.core.errors import SpecError
from sensecheck.sense import Sense
from tests.adapters.pages import code_of

ANSWERS = {"right": "Tablets may be lent for three weeks.", "wrong": "Tablets are lent for two weeks."}


def report(
    evaluator: SensecheckEvaluator, *, expected: str | None = "Tablets are lent for three weeks."
) -> Any:
    cases = [Case(name=name, inputs=name, expected_output=expected) for name in ANSWERS]
    dataset = Dataset[str, str, Any](name="library", cases=cases, evaluators=[evaluator])
    return dataset.evaluate_sync(lambda name: ANSWERS[name], progress=False)


def test_a_case_is_asserted_and_labelled_with_the_outcome(sense: Sense) -> None:
    right, wrong = sorted(report(SensecheckEvaluator("means", sense)).cases, key=lambda case: case.name)

    assert right.assertions["means"].value is True
    assert wrong.assertions["means"].value is False
    assert "`two weeks`" in wrong.assertions["means"].reason
    assert wrong.labels["means_outcome"].value == "fail"


def test_what_cannot_be_judged_is_a_failure_of_the_evaluator(sense: Sense) -> None:
    case = report(SensecheckEvaluator("means", sense), expected=None).cases[0]

    assert case.assertions == {}
    assert "no `expected` answer" in case.evaluator_failures[0].error_message


def test_passages_come_from_the_metadata(sense: Sense) -> None:
    passages = ["Tablets can be borrowed from the library for three weeks."]
    case = Case(name="wrong", inputs="wrong", metadata={"passages": passages})
    dataset = Dataset[str, str, Any](
        name="library", cases=[case], evaluators=[SensecheckEvaluator("grounded", sense)]
    )
    found = dataset.evaluate_sync(lambda name: ANSWERS[name], progress=False)

    assert found.cases[0].assertions["grounded"].value is False


def test_a_dataset_in_a_file_can_name_the_evaluator(tmp_path: Path) -> None:
    file = tmp_path / "library.yaml"
    file.write_text(
        "name: library\n"
        "cases: [{name: right, inputs: right, expected_output: Tablets are lent for three weeks.}]\n"
        "evaluators: [{SensecheckEvaluator: {check: {kind: means, threshold: 0.5}}}]\n"
    )
    dataset = Dataset[str, str, Any].from_file(file, custom_evaluator_types=[SensecheckEvaluator])
    found = dataset.evaluate_sync(lambda name: ANSWERS[name], progress=False)

    assert found.cases[0].assertions["means"].value is True


def test_a_slip_in_the_check_is_told_when_the_evaluator_is_made() -> None:
    with pytest.raises(SpecError, match="means"):
        SensecheckEvaluator("meens")


def test_the_code_of_our_page_runs() -> None:
    page: dict[str, Any] = {}
    exec(code_of("use-in-other-tools.md", "SensecheckEvaluator"), page)

    assert page["report"].cases[0].assertions["means"].value is True
