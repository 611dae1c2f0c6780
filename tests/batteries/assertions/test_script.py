"""Assertions that are code: what they return, what they raise, and where that is told."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.core.sample import Sample
from tests.batteries.assertions.asserted import about, decided, read, verdict_on

FILE = """
import beside

def get_assert(output, context):
    return {"pass": output == context["vars"]["wanted"], "score": 0.5, "reason": beside.WHY}

def asks(output, context):
    return context["prompt"] == "Who?"

async def later(output, context):
    return 0.25

def fails(output, context):
    text = None
    return text.lower()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of functions, and one that it imports."""
    (tmp_path / "asked.py").write_text(FILE)
    (tmp_path / "beside.py").write_text('WHY = "because"\n')
    return tmp_path


@pytest.mark.parametrize(
    ("code", "outcome", "score"),
    [
        ("len(output) == 5", "pass", 1.0),
        ("output == 'x'\n", "fail", 0.0),
        ("0.4", "pass", 0.4),
        ("0", "fail", 0.0),
        ("json.loads('[1]')[0]", "pass", 1.0),
        ("x = len(output)\nreturn x > 4", "pass", 1.0),
        ("if output:\n    return {'pass': False, 'score': 0.9, 'reason': 'no'}", "fail", 0.9),
        ("{'pass_': True, 'score': 0.2, 'reason': 'yes'}", "pass", 0.2),
        ("context['vars']['wanted'] == output", "pass", 1.0),
    ],
)
def test_code_says_true_or_false_or_a_number_or_both(code: str, outcome: str, score: float) -> None:
    ((_, part),) = read({"type": "python", "value": code}, around=about(wanted="Hello"))
    verdict = decided("Hello", part)

    assert verdict.outcome == outcome
    assert part.score(verdict) == score


@pytest.mark.parametrize(
    ("code", "threshold", "outcome"),
    [
        ("0.4", 0.5, "fail"),
        ("0.5", 0.5, "pass"),
        ("0", 0, "pass"),
        ("{'pass': True, 'score': 0.4, 'reason': ''}", 0.5, "fail"),
        ("{'pass': False, 'score': 0.9, 'reason': ''}", 0.5, "fail"),
        ("True", 0.5, "pass"),
    ],
)
def test_a_number_is_held_against_the_threshold(code: str, threshold: float, outcome: str) -> None:
    assert verdict_on("Hi", {"type": "python", "value": code, "threshold": threshold}).outcome == outcome


@pytest.mark.parametrize(
    "code", ["'yes'", "None", "[1]", "float('nan')", "{'score': 1}", "{'pass': 1}", "x = 1\nx == 1"]
)
@pytest.mark.parametrize("kind", ["python", "not-python"])
def test_anything_else_that_is_returned_is_an_error(code: str, kind: str) -> None:
    assert verdict_on("Hi", {"type": kind, "value": code}).outcome == "error"


@pytest.mark.parametrize("kind", ["python", "not-python"])
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("1 / 0", "ZeroDivisionError at line 1"),
        ("x = 1\nreturn x['secret']", "TypeError at line 2"),
        ("import sys\nsys.exit(0)", "SystemExit at line 2"),
    ],
)
def test_what_code_raises_is_neither_pass_nor_fail(kind: str, code: str, said: str) -> None:
    verdict = verdict_on("Hi", {"type": kind, "value": code})

    assert verdict.outcome == "error"
    assert said in verdict.because


def test_a_function_of_a_file_is_called_with_the_variables_and_the_prompt(folder: Path) -> None:
    around = about(folder, wanted="Hello")
    usual = verdict_on("Hello", {"type": "python", "value": "file://asked.py"}, around=around)
    named = {"type": "python", "value": "file://asked.py:asks"}

    assert (usual.outcome, usual.because) == ("pass", "because")
    assert verdict_on(Sample("Hello", question="Who?"), named, around=around).outcome == "pass"
    assert verdict_on(Sample("Hello", question="When?"), named, around=around).outcome == "fail"


def test_a_function_may_be_awaited(folder: Path) -> None:
    verdict = verdict_on("Hi", {"type": "python", "value": "file://asked.py:later"}, around=about(folder))

    assert verdict.reading is not None
    assert verdict.reading.value == 0.25


def test_what_a_function_raises_is_told_with_its_file_and_line(folder: Path) -> None:
    verdict = verdict_on("Hi", {"type": "python", "value": "file://asked.py:fails"}, around=about(folder))

    assert (verdict.outcome, verdict.because) == ("error", "`asked.py` raised AttributeError at line 15")


@pytest.mark.parametrize(
    "value",
    ["file://missing.py", "file://asked.py:nobody", "file://asked.pyc", "output ==", "x = (\nreturn 1", 5],
)
def test_code_that_cannot_be_read_is_an_error_with_its_place(value: Any, folder: Path) -> None:
    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: .*`python`|^here\.yaml:7:3: the file"):
        read({"type": "python", "value": value}, around=about(folder))


@pytest.mark.parametrize("code", ["10 ** 400", "{'pass': True, 'score': 10 ** 400, 'reason': ''}"])
def test_a_number_that_no_score_can_be_is_an_error(code: str) -> None:
    verdict = verdict_on("hello", {"type": "python", "value": code})

    assert (verdict.outcome, "too large" in verdict.because) == ("error", True)
