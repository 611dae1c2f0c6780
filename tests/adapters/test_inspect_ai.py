"""The scorer inside the real Inspect."""

from pathlib import Path
from typing import Any

import pytest

inspect_ai = pytest.importorskip(
    "inspect_ai", reason="Inspect is not installed here; `just adapters` tests it"
)

from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.model import ModelOutput  # noqa: E402
from inspect_ai.solver import Generate, Solver, TaskState, solver  # noqa: E402

from sensecheck.adapters.inspect_ai import sensecheck  # noqa: E402
from sensecheck.core.errors import SpecError  # noqa: E402
from tests.adapters.pages import code_of  # noqa: E402


@solver  # type: ignore[untyped-decorator]  # unknown where Inspect is not installed
def recorded(answers: list[str]) -> Solver:
    """Gives the answers in order, and asks no model: Inspect fetches a tokenizer for its own mock model."""
    left = iter(answers)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("recorded", next(left))
        return state

    return solve


def log(folder: Path, answers: list[str], samples: list[Sample], check: Any = "means") -> Any:
    (found,) = inspect_ai.eval(
        inspect_ai.Task(dataset=samples, solver=recorded(answers), scorer=sensecheck(check)),
        model="mockllm/model",
        log_dir=str(folder),
        display="none",
        max_samples=1,
    )
    return found


def test_an_output_is_correct_when_the_check_passes(tmp_path: Path) -> None:
    asked = Sample(input="How long?", target="Tablets are lent for three weeks.")
    answers = ["Tablets may be lent for three weeks.", "Tablets are lent for two weeks."]
    found = log(tmp_path, answers, [asked, asked.model_copy()])
    scores = [sample.scores["sensecheck"] for sample in found.samples]

    assert found.status == "success"
    assert [score.value for score in scores] == ["C", "I"]
    assert "`two weeks`" in scores[1].explanation
    assert found.results.scores[0].metrics["accuracy"].value == 0.5


def test_one_of_several_targets_is_enough(tmp_path: Path) -> None:
    targets = ["Tablets are lent for three weeks.", "Laptops are lent for one day."]
    found = log(tmp_path, ["Laptops are lent for one day."], [Sample(input="How long?", target=targets)])

    assert found.samples[0].scores["sensecheck"].value == "C"


def test_passages_come_from_the_metadata(tmp_path: Path) -> None:
    passages = ["Tablets can be borrowed from the library for three weeks."]
    asked = Sample(input="How long?", metadata={"passages": passages})
    found = log(tmp_path, ["Tablets can be borrowed for two weeks."], [asked], {"kind": "grounded"})

    assert found.samples[0].scores["sensecheck"].value == "I"


def test_what_cannot_be_judged_is_an_error_and_no_score(tmp_path: Path) -> None:
    found = log(tmp_path, ["Three weeks."], [Sample(input="How long?")])

    assert found.status == "error"
    assert "no `expected` answer" in found.error.message


def test_a_slip_in_the_check_is_told_when_the_scorer_is_made() -> None:
    with pytest.raises(SpecError, match="means"):
        sensecheck("meens")


def test_the_code_of_our_page_runs(tmp_path: Path) -> None:
    page: dict[str, Any] = {}
    exec(code_of("use-in-other-tools.md", "inspect_ai"), page)

    page["task"].solver = recorded(["Tablets may be lent for three weeks."])
    (found,) = inspect_ai.eval(page["task"], model="mockllm/model", log_dir=str(tmp_path), display="none")
    assert found.samples[0].scores["sensecheck"].value == "C"
