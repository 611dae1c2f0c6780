"""The GitHub Action: the steps of action.yml are really run, as a runner of GitHub would run them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
HERE = {"install": "", "python-version": ""}
"""Nothing is installed: the command of this environment is run."""
CASE = "  - {{description: {0}, providerOutput: {1}, assert: [{{type: contains, value: tea}}]}}\n"


HOSTILE = "../$(touch hacked)`touch hacked`\"; touch hacked; '; touch hacked #\npassed=99\nexit-code=0"


@dataclass(frozen=True, slots=True)
class Done:
    """What a job shows after the action."""

    code: int
    log: str
    summary: str
    outputs: dict[str, str]


def value(written: str, inputs: dict[str, str]) -> str:
    """An expression as a runner puts it in: the only ones that are used are inputs."""
    found = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", written)
    assert found is not None, written
    return inputs[found[1]]


def wanted(step: dict[str, Any], inputs: dict[str, str]) -> bool:
    found = re.fullmatch(r"inputs\.([a-z-]+) != ''", step.get("if", ""))
    return inputs[found[1]] != "" if found else "if" not in step


def act(folder: Path, **given: str) -> Done:
    """Run the steps in a folder that stands for the workspace."""
    inputs = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()}
    inputs |= HERE | {name.replace("_", "-"): text for name, text in given.items()}
    summary, outputs = folder / ".summary", folder / ".outputs"
    summary.touch()
    outputs.touch()
    own = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(outputs),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "SENSECHECK_ENCODER": "hashing",
    }
    code, log = 0, ""
    for step in (step for step in STEPS if wanted(step, inputs)):
        variables = {name: value(text, inputs) for name, text in step["env"].items()}
        script = folder / ".script.sh"
        script.write_text(step["run"])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
            cwd=folder,
            env=os.environ | own | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        code, log = done.returncode, log + done.stdout + done.stderr
    told = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    return Done(code, log, summary.read_text(), told)


def battery(folder: Path, *answers: str, name: str = "drinks.battery.yaml") -> str:
    cases = "".join(CASE.format(f"Offers {at}", answer) for at, answer in enumerate(answers, 1))
    (folder / name).write_text(f"tests:\n{cases}")
    return name


def test_a_battery_leaves_reports_a_summary_and_outputs_and_keeps_the_exit_code(tmp_path: Path) -> None:
    done = act(tmp_path, battery=battery(tmp_path, "tea", "milk", "green tea"))

    assert done.code == 1, done.log
    assert done.outputs == {
        "passed": "2",
        "failed": "1",
        "errors": "0",
        "exit-code": "1",
        "report": "sensecheck-report",
    }
    assert "3 tests: 2 pass, 1 fail" in done.summary
    assert "Offers 2" in done.summary
    written = sorted(path.name for path in (tmp_path / "sensecheck-report").iterdir())
    assert written == [f"drinks.battery.{suffix}" for suffix in ("html", "md", "xml")]


def test_a_battery_with_a_slip_says_what_is_wrong_in_the_summary(tmp_path: Path) -> None:
    (tmp_path / "drinks.battery.yaml").write_text("tests:\n  - {assertt: []}\n")
    done = act(tmp_path, battery="drinks.battery.yaml")

    assert done.code == 2
    assert done.outputs["exit-code"] == "2"
    assert done.outputs["passed"] == "0"
    assert "stopped with exit code 2" in done.summary
    assert re.search(r"^    .*drinks\.battery\.yaml:2:6: `assertt`", done.summary, re.MULTILINE)


def test_several_batteries_and_further_arguments_stand_one_a_line(tmp_path: Path) -> None:
    first, second = battery(tmp_path, "tea"), battery(tmp_path, "milk", "tea", name="other.battery.yaml")
    done = act(tmp_path, battery=f"{first}\n\n  {second}\n", args="--filter\nOffers 1\n", output="out put")

    assert done.code == 1, done.log
    assert (done.outputs["passed"], done.outputs["failed"]) == ("1", "1")
    assert done.outputs["report"] == "out put"
    assert "drinks.battery.yaml" in done.summary
    assert "other.battery.yaml" in done.summary


def test_two_batteries_whose_reports_would_have_one_name_are_refused(tmp_path: Path) -> None:
    two = battery(tmp_path, "tea", name="drinks.yml"), battery(tmp_path, "milk", name="drinks.yaml")
    done = act(tmp_path, battery="\n".join(two))

    assert done.code == 2
    assert done.outputs["exit-code"] == "2"
    assert "`drinks.yml` and `drinks.yaml` would both be written" in done.summary


def test_a_summary_that_the_page_of_a_job_would_not_take_ends_with_a_whole_line(tmp_path: Path) -> None:
    long = "[" * 300  # each of these takes five characters in Markdown
    case = {"description": long, "providerOutput": long, "assert": [{"type": "equals", "value": f"{long}."}]}
    names = ["one.json", "two.json", "three.json"]
    for name in names:
        (tmp_path / name).write_text(json.dumps({"tests": [case] * 200}))
    done = act(tmp_path, battery="\n".join(names))
    *rows, empty, note = done.summary.splitlines()

    assert done.code == 1, done.log[-2000:]
    assert done.outputs["failed"] == "600"
    assert 990_000 < len(done.summary.encode()) < 1024 * 1024
    assert (rows[-1].endswith(" |"), empty) == (True, "")
    assert note == "There is more than this page can show: see the reports in `sensecheck-report`."


def test_a_pass_rate_recorded_answers_and_calibration_are_handed_on(tmp_path: Path) -> None:
    case = "{{description: {0}, vars: {{user: Hi}}, assert: [{{type: contains, value: {0}}}]}}"
    (tmp_path / "asked.battery.yaml").write_text(f"tests: [{case.format('tea')}, {case.format('milk')}]\n")
    (tmp_path / "answers.jsonl").write_text(
        "".join(f'{{"description": "{name}", "answer": "green tea"}}\n' for name in ("tea", "milk"))
    )
    done = act(tmp_path, battery="asked.battery.yaml", answers="answers.jsonl", pass_rate="0.5")
    assert (done.code, done.outputs["passed"], done.outputs["exit-code"]) == (0, "1", "0"), done.log

    (tmp_path / "near.battery.yaml").write_text(
        "tests: [{description: Near, providerOutput: tea, assert: [{type: similar, value: tea}]}]\n"
    )
    assert act(tmp_path, battery="near.battery.yaml", require_calibrated="true").code == 4
    assert act(tmp_path, battery="near.battery.yaml", require_calibrated="maybe").code == 2


@pytest.mark.parametrize("name", ["battery", "answers", "pass_rate", "args", "output", "require_calibrated"])
def test_what_stands_in_an_input_is_never_run(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    done = act(inside, **({"battery": battery(inside, "milk")} | {name: HOSTILE}))

    assert not list(tmp_path.rglob("hacked"))
    assert done.code != 0
    assert done.outputs["exit-code"] == str(done.code)
    assert done.outputs.get("passed", "0") == "0"


def test_an_answer_that_looks_like_a_command_of_the_runner_is_none(tmp_path: Path) -> None:
    done = act(tmp_path, battery=battery(tmp_path, '"no\\n::add-mask::x\\n::set-output name=passed::9"'))
    begun = done.log.index("::stop-commands::")
    mark = done.log[begun:].splitlines()[0].removeprefix("::stop-commands::")

    assert begun < done.log.index("add-mask") < done.log.index(f"::{mark}::")


def test_no_step_puts_an_expression_into_a_script() -> None:
    assert [step for step in STEPS if "${{" in step.get("run", "")] == []


def test_our_own_workflow_names_inputs_and_outputs_that_there_are() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "battery.yml").read_text())
    (used,) = [step for step in workflow["jobs"]["library"]["steps"] if step.get("uses") == "./"]

    assert set(used["with"]) <= set(ACTION["inputs"])
    assert (ROOT / used["with"]["battery"]).is_file()
    assert "steps.battery.outputs.report" in str(workflow)


def test_the_example_battery_passes_with_the_real_model(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sensecheck", "run", ROOT / "examples" / "batteries" / "library.battery.yaml"],
        cwd=tmp_path,
        env=os.environ
        | {
            "SENSECHECK_CACHE": "off",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
