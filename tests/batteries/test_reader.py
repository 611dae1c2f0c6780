"""A battery as a whole: its keys, its digest, and all of its mistakes at once."""

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from sensecheck.batteries.reader import read_battery
from sensecheck.batteries.schema import battery_schema
from sensecheck.cli.main import app
from sensecheck.core.errors import BatteryError
from sensecheck.documents.node import MAX_MISTAKES
from tests.batteries.written import battery, cases_of, wrong

ASKS = "assert: [{type: contains, value: x}]"
SCHEMA = Draft202012Validator(battery_schema())
CORPUS = sorted((Path(__file__).parent / "corpus" / "runs").glob("*.yaml"))


def test_keys_stay_while_description_and_variables_do(tmp_path: Path) -> None:
    one = cases_of(tmp_path, f"tests: [{{vars: {{user: a, b: 1}}, {ASKS}}}, {{vars: {{user: b}}, {ASKS}}}]")
    two = cases_of(
        tmp_path,
        f"""
        tests:
          - {{vars: {{user: b}}, assert: [{{type: equals, value: y}}]}}
          - {{vars: {{b: 1, user: a}}, {ASKS}}}
        """,
    )
    assert [test.key for test in one] == [test.key for test in reversed(two)]


def test_all_that_is_wrong_is_told_at_once_up_to_a_limit(tmp_path: Path) -> None:
    good, bad = f"  - {{vars: {{user: a}}, {ASKS}}}\n", "  - {vars: {user: a}, asert: []}\n"
    said = wrong(tmp_path, "tests:\n" + (good + bad) * 25)

    assert len(said) == MAX_MISTAKES + 1
    assert said[0].startswith("b.yaml:3:23: `asert` is not a known key of a test; did you mean `assert`?")
    assert said[1].startswith("b.yaml:5:23: ")
    assert said[-1] == "and 5 more"


def test_what_is_wrong_within_one_test_is_counted_as_well(tmp_path: Path) -> None:
    assertions = ", ".join(f"{{type: contains, value: [{at}]}}" for at in range(35))
    said = wrong(tmp_path, f"tests:\n  - {{vars: {{user: a}}, assert: [{assertions}]}}\n")

    assert len(said) == MAX_MISTAKES + 1
    assert said[-1] == "and 15 more"


def test_many_values_of_variables_are_not_all_tried_where_a_test_is_wrong(tmp_path: Path) -> None:
    users, places = ([f"{name}{at}" for at in range(1500)] for name in ("user", "place"))
    body = f"vars: {{user: {users}, place: {places}}}, options: {{prefx: a}}, {ASKS}"

    assert len(wrong(tmp_path, f"tests:\n  - {{{body}}}\n")) == 1


def test_several_parts_of_the_head_are_told_together(tmp_path: Path) -> None:
    assert len(wrong(tmp_path, "prompts: []\nproviders: [nobody]\nrepeat: x\n")) == 4


def test_the_digest_knows_every_file_that_is_named(tmp_path: Path) -> None:
    text = """
        prompts: file://p.txt
        defaultTest: {assert: [{type: is-json, value: file://s.json}]}
        tests: [file://t.csv, {vars: {user: file://u.txt}}]
        """
    files = {"p_txt": "{{user}}", "s_json": "{}", "t_csv": "user\nhi\n", "u_txt": "hi"}
    digests = {battery(tmp_path, text, **files).digest}
    for name in files:
        changed = files[name] + " \n" if name != "t_csv" else "user\nho\n"
        digests.add(battery(tmp_path, text, **{**files, name: changed}).digest)

    assert len(digests) == len(files) + 1
    assert battery(tmp_path, text, **files).digest in digests


def test_a_battery_may_be_json(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    asks = [{"type": "contains", "value": "x"}]
    path.write_text(json.dumps({"tests": [{"vars": {"user": "😀"}, "assert": asks}]}, indent="\t"))

    assert next(read_battery(path, environment={}).read_tests()).vars == {"user": "😀"}


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BatteryError, match=r"^`\S*no\.yaml` cannot be read: No such file or directory$"):
        read_battery(tmp_path / "no.yaml", environment={})


def test_the_environment_is_not_shown(tmp_path: Path) -> None:
    read = battery(tmp_path, f"tests: [{{vars: {{user: a}}, {ASKS}}}]", {"TOKEN": "secret-1"})

    assert "secret-1" not in repr(read)
    assert read.environment == {"TOKEN": "secret-1"}


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(battery_schema())


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_schema_accepts_what_is_read(path: Path) -> None:
    held = yaml.safe_load(path.read_text())

    assert not [wrong.message for wrong in SCHEMA.iter_errors(held)]


@pytest.mark.parametrize(
    "slip", ["testz: []", "tests: [{asert: []}]", "tests: [{assert: [{type: contians}]}]", "repeat: 0"]
)
def test_the_schema_refuses_slips(slip: str) -> None:
    held = {"tests": [{"vars": {"user": "a"}}]} | yaml.safe_load(slip)

    assert list(SCHEMA.iter_errors(held))


def test_the_command_line_prints_the_schema() -> None:
    printed = CliRunner().invoke(app, ["schema", "--battery"])

    assert json.loads(printed.stdout) == battery_schema()
