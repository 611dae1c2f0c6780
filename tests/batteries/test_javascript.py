"""What users of promptfoo write: JavaScript through Node, graded types, and `outputPath`."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from sensecheck.batteries.assertions import javascript
from sensecheck.batteries.assertions.javascript import JavaScript
from sensecheck.batteries.request import BatteryRequest
from sensecheck.batteries.run import run_battery
from sensecheck.config import Settings
from sensecheck.core.errors import CannotJudge
from sensecheck.documents.node import Node, Place

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
HERE = Place("battery.yaml", 1)


def called(code: str, output: str = "Paris", **variables: Any) -> Any:
    return JavaScript.of(Node(code, HERE), Path())(output, {"vars": variables})


def outcomes(folder: Path, *asserts: dict[str, Any], **test: Any) -> list[str]:
    """How each assertion about the answer `Paris, France` comes out."""
    battery = {
        "prompts": ["Where?"],
        "providers": ["echo"],
        "tests": [{"providerOutput": "Paris, France", "assert": [one], **test} for one in asserts],
    }
    (folder / "a.battery.yaml").write_text(yaml.safe_dump(battery))
    settings = Settings(encoder="hashing", cache="off", runs=str(folder / "runs"))
    run = run_battery(BatteryRequest(battery=folder / "a.battery.yaml", settings=settings))
    return [one.outcome for one in run.tests()]


def test_an_expression_lines_and_a_file_are_called_with_output_and_context(tmp_path: Path) -> None:
    assert called("output.length > 3") is True
    assert called("const n = context.vars.n;\nreturn n + 1;", n=2) == 3
    assert called("return Promise.resolve({pass: output === 'Paris', score: 0.5})") == {
        "pass": True,
        "score": 0.5,
    }
    (tmp_path / "check.js").write_text("module.exports = (output, context) => output + context.vars.end;")
    script = JavaScript.of(Node("file://check.js", HERE), tmp_path)
    assert script("a", {"vars": {"end": "b"}}) == "ab"


@pytest.mark.parametrize(
    "code",
    [
        "require('fs').readFileSync('/etc/passwd', 'utf8')",
        "process.env",
        "fetch('http://127.0.0.1')",
        "this.constructor.constructor('return process')().env",
        "output.constructor.constructor('return process')().env",
    ],
)
def test_code_reaches_neither_files_nor_the_environment_nor_the_network(code: str) -> None:
    with pytest.raises(CannotJudge, match=r"the code raised (ReferenceError|EvalError|TypeError)"):
        called(code)


def test_what_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(javascript, "TIMEOUT_SECONDS", 0.3)
    with pytest.raises(CannotJudge, match=r"raised Error|took longer"):
        called("while (true) {}\nreturn 1")
    with pytest.raises(CannotJudge, match="ended without a result"):
        called("return new Promise(() => {})")


def test_assertions_and_transforms_decide_about_the_answer(tmp_path: Path) -> None:
    found = outcomes(
        tmp_path,
        {"type": "javascript", "value": "output.includes('Paris')"},
        {"type": "javascript", "value": "output.length / 100", "threshold": 0.5},
        {"type": "not-javascript", "value": "output.includes('Rome')"},
        {"type": "javascript", "value": "nowhere.at.all"},
        {"type": "equals", "value": "FRANCE", "transform": "output.split(', ')[1].toUpperCase()"},
        {"type": "equals", "value": "FRANCE", "transform": "output.no.such"},
    )

    assert found == ["pass", "fail", "pass", "error", "pass", "error"]
    assert outcomes(
        tmp_path, {"type": "equals", "value": "France"}, options={"transform": "output.split(', ')[1]"}
    ) == ["pass"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "context.vars.expected.toFixed(2)",
            "TypeError: Cannot read properties of undefined (reading 'toFixed')",
        ),
        ("throw 'no city';\nreturn 1", "String: no city"),
        ("throw new RangeError('too\\n\\u001b[31mfar');\nreturn 1", "RangeError: too \ufffd[31mfar"),
        ("throw new Error('x'.repeat(1000000));\nreturn 1", f"Error: {'x' * 199}…"),
        ("throw null;\nreturn 1", "an error"),
        ("throw {message: 7};\nreturn 1", "Object"),
    ],
)
def test_an_error_of_the_code_says_what_it_said(code: str, said: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        called(code)

    assert str(caught.value) == f"the code raised {said}"


def test_without_node_it_is_no_judgement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensecheck.batteries.assertions.javascript.shutil.which", lambda _: None)

    assert outcomes(tmp_path, {"type": "javascript", "value": "output === 'never seen before'"}) == ["error"]


def test_results_are_written_where_the_file_says(tmp_path: Path) -> None:
    battery = {
        "prompts": ["Hello {{name}}"],
        "providers": ["echo"],
        "outputPath": ["out.json", "out.md"],
        "tests": [{"vars": {"name": "Anna"}, "assert": [{"type": "contains", "value": "Anna"}]}],
    }
    (tmp_path / "a.battery.yaml").write_text(yaml.safe_dump(battery))
    settings = Settings(encoder="hashing", cache="off", runs=str(tmp_path / "runs"))
    run_battery(BatteryRequest(battery=tmp_path / "a.battery.yaml", settings=settings))

    assert (tmp_path / "out.json").is_file()
    assert (tmp_path / "out.md").is_file()


@pytest.mark.real_model
def test_graded_types_are_decided_by_the_reader(tmp_path: Path) -> None:
    context = {"vars": {"context": "The bridge opened in 1932. It is grey."}}
    settings = Settings(runs=str(tmp_path / "runs"))
    battery = {
        "prompts": ["When?"],
        "providers": ["echo"],
        "tests": [
            {"providerOutput": answer, "assert": [{"type": kind, **value}], **context}
            for answer, kind, value in (
                ("The bridge opened in 1932.", "context-faithfulness", {}),
                ("The bridge opened in 1937.", "context-faithfulness", {}),
                ("I do not know.", "context-recall", {"value": "The bridge opened in 1932."}),
                ("I do not know.", "context-recall", {"value": "The bridge opened in 1937."}),
                ("It opened in 1932.", "factuality", {"value": "The bridge opened in 1932."}),
                ("It opened in 1937.", "factuality", {"value": "The bridge opened in 1932."}),
            )
        ],
    }
    (tmp_path / "a.battery.yaml").write_text(yaml.safe_dump(battery))
    run = run_battery(BatteryRequest(battery=tmp_path / "a.battery.yaml", settings=settings))

    assert [one.outcome for one in run.tests()] == ["pass", "fail"] * 3


@pytest.mark.real_model
def test_a_threshold_on_context_is_the_share_of_claims_that_is_supported(tmp_path: Path) -> None:
    answer = "The museum opens at nine. Tickets cost 12 euros. Children are free. Dogs may swim in the pool."
    context = "The museum opens at nine. Tickets are 12 euros. Children under six come in free."
    kinds = [("context-faithfulness", {}), ("context-recall", {"value": answer})]
    test = {
        "providerOutput": answer,
        "vars": {"context": context},
        "assert": [
            {"type": kind, "threshold": share, **more} for kind, more in kinds for share in (0.75, 0.8)
        ],
    }
    (tmp_path / "a.battery.yaml").write_text(yaml.safe_dump({"tests": [test]}))
    settings = Settings(runs=str(tmp_path / "runs"))
    run = run_battery(BatteryRequest(battery=tmp_path / "a.battery.yaml", settings=settings))
    (result,) = run.file.results()

    assert [part.outcome for part in result.verdict.parts] == ["pass", "fail"] * 2
    assert [score.score for score in result.scores] == [0.75] * 4
