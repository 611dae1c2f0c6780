"""`sensecheck runs compare`, also by its earlier names, and `sensecheck report`."""

import json
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.verdict import Outcome
from tests.runs.kept_runs import HOSTILE, kept, result
from tests.runs.stores import kept as evaluated
from tests.walks.cli import typed

PASS: Outcome = "pass"
FAIL: Outcome = "fail"


def keep(folder: Path, number: int, *outcomes: Outcome, **more: Any) -> None:
    kept(folder / f"{number}.jsonl", [result(n, word, **more) for n, word in enumerate(outcomes, 1)])


def compare(folder: Path, *arguments: str) -> Any:
    return typed("compare", *arguments, SENSECHECK_RUNS=str(folder))


@pytest.mark.core
def test_what_flipped_is_told_in_words(tmp_path: Path) -> None:
    keep(tmp_path, 1, "pass", "pass", "fail")
    keep(tmp_path, 2, "fail", "pass", "pass")
    found = compare(tmp_path, "1", "2")

    assert (
        "1 test no longer passing\n  pass → fail, score 1.000 → 0.500  test 1 (model)\n    it is a fail"
        in found.stdout
    )
    assert "1 test newly passing\n  fail → pass, score 0.500 → 1.000  test 3 (model)" in found.stdout
    (passed,) = (line.split() for line in found.stdout.splitlines() if line.startswith("passed "))
    assert passed[1:5] == ["3", "0.667", "0.667", "+0.000"]
    assert found.stdout.splitlines()[0] == "1.jsonl → 2.jsonl, 3 tests in both"
    assert found.stdout.splitlines()[-2:] == [
        "no significant change",
        "1 test no longer passed, 1 test newly passed",
    ]
    assert found.exit_code == 0


def test_earlier_names_of_the_verb_say_the_new_one_and_do_the_same(tmp_path: Path) -> None:
    keep(tmp_path, 1, "pass", "fail")
    keep(tmp_path, 2, "fail", "pass")
    earlier = compare(tmp_path, "1", "2", "--json")
    store = f"suites:{tmp_path}"
    today = typed("runs", "compare", "1", "2", "--json", "--store", store)
    by_path = typed("runs", "compare", *(str(tmp_path / f"{n}.jsonl") for n in (1, 2)), "--json")

    assert '"compare" is now "runs compare"' in compare(tmp_path, "1", "2").stderr
    assert (earlier.stderr, today.stderr) == ("", "")
    assert earlier.stdout == today.stdout == by_path.stdout


def test_a_number_is_a_run_of_a_battery_or_an_evaluation_unless_it_is_both(tmp_path: Path) -> None:
    keep(tmp_path / "runs", 1, "pass")
    keep(tmp_path / "runs", 2, "pass")
    places = {"SENSECHECK_RUNS": str(tmp_path / "runs"), "SENSECHECK_STORE": str(tmp_path / "evals.sqlite3")}
    alone = typed("runs", "compare", **places)
    for value in (0.9, 0.4):
        evaluated(tmp_path / "evals.sqlite3", {"bleu": [value] * 3})
    both = typed("runs", "compare", "1", "2", **places)
    chosen = typed("runs", "compare", "--store", places["SENSECHECK_STORE"], **places)

    assert alone.stdout.startswith("1.jsonl → 2.jsonl, 1 test in both")
    assert "is a run of a battery as well as an evaluation" in both.stderr
    assert both.exit_code == 2
    assert chosen.stdout.startswith("run 1 → run 2, 3 questions in both")
    missing = typed("runs", "compare", "7", "8", **places)
    assert "there is no run `7`" in missing.stderr
    assert missing.exit_code == 2


def test_a_run_that_is_nowhere_is_told_once_with_how_runs_are_named(tmp_path: Path) -> None:
    keep(tmp_path / "runs", 1, "pass")
    store = tmp_path / "evals.sqlite3"
    places = {"SENSECHECK_RUNS": str(tmp_path / "runs"), "SENSECHECK_STORE": str(store)}
    evaluated(store, {"bleu": [0.5]})
    nobody = typed("runs", "show", "nobody", **places)
    numbered = typed("runs", "show", "7", **places)

    assert nobody.stderr == (
        "error: there is no run `nobody` of a battery or an evaluation; name it by its number, `latest`, "
        f"`previous`, its name, or its id; `sensecheck runs list --store sqlite:///{store}` shows them\n"
    )
    assert f"there is no run `7` in `{tmp_path / 'runs'}`; it holds 1; among evaluations: " in numbered.stderr


@pytest.mark.core
@pytest.mark.parametrize(
    ("after", "fail_on", "code"),
    [
        (("pass",) * 8, "regression", 0),
        (("fail", *("pass",) * 7), None, 0),
        (("fail", *("pass",) * 7), "regression", 1),
        (("unsure", *("pass",) * 7), "regression", 1),
        (("fail", *("pass",) * 7), "significant", 0),
        (("fail",) * 8, "significant", 1),
        (("fail",) * 8, "worse", 3),
        (("pass",) * 8, "worse", 0),
        (("error", *("fail",) * 7), "regression", 1),
        (("error", *("fail",) * 7), "significant", 1),
        (("error", *("pass",) * 7), "regression", 3),
        (("error",) * 8, "regression", 3),
        (("unsure",) * 8, "regression", 1),
        (("error", *("pass",) * 7), None, 3),
    ],
)
def test_the_exit_code_says_whether_it_got_worse(
    tmp_path: Path, after: tuple[Outcome, ...], fail_on: str | None, code: int
) -> None:
    keep(tmp_path, 1, *[PASS] * 8)
    keep(tmp_path, 2, *after)
    found = compare(tmp_path, "previous", "latest", *(["--fail-on", fail_on] if fail_on else []))

    assert found.exit_code == code, found.output
    assert ("exit code 3: " in found.stderr) == (code == 3)


def test_the_last_line_says_why_it_is_a_three(tmp_path: Path) -> None:
    keep(tmp_path, 1, "pass", "pass")
    keep(tmp_path, 2, "error", "pass")
    pair = [str(tmp_path / f"{number}.jsonl") for number in (1, 2)]
    found = typed("runs", "compare", *pair, "--fail-on", "regression")

    assert found.stderr.splitlines()[-1] == "exit code 3: 1 test of the later run could not be judged"


def test_alpha_is_the_line_between_chance_and_more(tmp_path: Path) -> None:
    keep(tmp_path, 1, *[PASS] * 8)
    keep(tmp_path, 2, *[FAIL] * 8)
    strict = compare(tmp_path, "1", "2", "--fail-on", "significant", "--alpha", "0.001")

    assert "99.9%" not in strict.stdout
    assert strict.exit_code == 0


def test_programs_get_json_and_files(tmp_path: Path) -> None:
    keep(tmp_path, 1, "pass", "pass")
    keep(tmp_path, 2, "fail", "pass", because=HOSTILE)
    names = [tmp_path / name for name in ("c.json", "deep/c.md", "c.html")]
    outputs = [word for name in names for word in ("-o", str(name))]
    found = compare(tmp_path, str(tmp_path / "1.jsonl"), "2", "--json", *outputs)

    told = json.loads(found.stdout)
    assert told == json.loads((tmp_path / "c.json").read_bytes())
    assert told["regressions"][0]["because"] == HOSTILE
    assert (told["metrics"][0]["metric"], told["metrics"][0]["difference"]) == ("passed", -0.5)
    assert (told["before"]["run"], told["items"], told["n"]) == ("1.jsonl", "test", 2)
    assert (tmp_path / "deep" / "c.md").read_text("utf-8").startswith("## 1.jsonl → 2.jsonl")
    assert "<h1>1.jsonl → 2.jsonl</h1>" in (tmp_path / "c.html").read_text("utf-8")


def test_a_strangers_text_does_not_steer_the_terminal(tmp_path: Path) -> None:
    keep(tmp_path, 1, "pass", description=HOSTILE)
    keep(tmp_path, 2, "fail", description=HOSTILE, because=HOSTILE)
    found = compare(tmp_path, "1", "2")

    assert "\x1b" not in found.stdout
    assert "\\x1b[31m" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["1", "9"], "there is no run `9`"),
        (["1", "nowhere.jsonl"], "there is no run `nowhere.jsonl`"),
        (["1", "2", "--fail-on", "regresion"], "did you mean `regression`?"),
        (["1", "2", "--alpha", "5"], "`alpha` must be a number between 0 and 1; got 5.0"),
        (
            ["1", "2", "-o", "c.pdf"],
            "`c.pdf` names no form of comparison by its ending; known: `.json`, `.md`, `.html`",
        ),
        (["1", "3"], "have no test in common"),
    ],
)
def test_what_cannot_be_compared_is_an_error(tmp_path: Path, arguments: list[str], complaint: str) -> None:
    keep(tmp_path, 1, "pass")
    keep(tmp_path, 2, "pass")
    keep(tmp_path, 3, "pass", key="another")
    found = compare(tmp_path, *arguments)

    assert complaint in found.stderr
    assert found.exit_code == 2


def test_a_kept_run_is_reported_in_any_form(tmp_path: Path) -> None:
    keep(tmp_path, 1, "pass", "fail")
    outputs = [tmp_path / "out" / name for name in ("r.xml", "r.csv", "r.md", "r.json", "r.promptfoo.json")]
    found = typed("report", "latest", *(f"-o{path}" for path in outputs), SENSECHECK_RUNS=str(tmp_path))

    assert found.stdout == "".join(f"written to {path}\n" for path in outputs)
    assert all(path.stat().st_size for path in outputs)
    assert found.exit_code == 0


def test_a_report_of_an_unknown_form_writes_nothing(tmp_path: Path) -> None:
    keep(tmp_path, 1, "pass")
    found = typed(
        "report",
        "1",
        "-o",
        str(tmp_path / "r.csv"),
        "-o",
        str(tmp_path / "r.pdf"),
        SENSECHECK_RUNS=str(tmp_path),
    )

    assert "r.pdf` names no form of report by its ending; known: `.html`" in found.stderr
    assert found.exit_code == 2
    assert not (tmp_path / "r.csv").exists()
