"""Rules on words: what promptfoo decides, we decide, and the place is shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.core.sample import Sample
from tests.batteries.assertions.asserted import about, read, verdict_on

SAID = "Hello world 42"
SCHEMA = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}

HOLDS: list[tuple[str, dict[str, Any]]] = [
    (SAID, {"type": "contains", "value": "world"}),
    (SAID, {"type": "contains", "value": 42}),
    (SAID, {"type": "icontains", "value": "WORLD"}),
    (SAID, {"type": "contains-all", "value": ["Hello", "42"]}),
    (SAID, {"type": "contains-all", "value": "Hello, world"}),
    (SAID, {"type": "contains-any", "value": ["no", "world"]}),
    (SAID, {"type": "contains-any", "value": 'no, "world 4"'}),
    (SAID, {"type": "icontains-all", "value": ["hello", "WORLD"]}),
    (SAID, {"type": "icontains-any", "value": "nobody, hello"}),
    ('say "a, b"', {"type": "contains-any", "value": '"""a, b"""'}),
    (SAID, {"type": "equals", "value": SAID}),
    ("42", {"type": "equals", "value": 42}),
    ("1", {"type": "equals", "value": 1.0}),
    ("true", {"type": "equals", "value": True}),
    ('{"b": [1, null], "a": 1.0}', {"type": "equals", "value": {"a": 1, "b": [1, None]}}),
    (SAID, {"type": "regex", "value": r"\d+$"}),
    ("aa", {"type": "regex", "value": r"(?<x>a)\k<x>"}),
    (SAID, {"type": "starts-with", "value": "Hello"}),
    ("[1, 2]", {"type": "is-json"}),
    ('{"a": 1}', {"type": "is-json", "value": SCHEMA}),
    ('{"a": 1}', {"type": "is-json", "value": '{"required": ["a"]}'}),
    ('{"a": 1}', {"type": "is-json", "value": "required: [a]"}),
    ('See {"b": 1} and {"a": 2}.', {"type": "contains-json", "value": SCHEMA}),
]
HOLDS_NOT: list[tuple[str, dict[str, Any]]] = [
    (SAID, {"type": "contains", "value": "hello"}),
    (SAID, {"type": "contains-all", "value": ["Hello", "no"]}),
    (SAID, {"type": "contains-any", "value": ["no", "nobody"]}),
    (SAID, {"type": "icontains", "value": "worlds"}),
    (SAID, {"type": "equals", "value": "Hello world 4"}),
    ('{"a": true}', {"type": "equals", "value": {"a": 1}}),
    ("not JSON", {"type": "equals", "value": [1]}),
    (SAID, {"type": "regex", "value": "^world"}),
    (SAID, {"type": "starts-with", "value": "hello"}),
    ("NaN", {"type": "is-json"}),
    ('{"a": 1', {"type": "is-json"}),
    ('{"a": "x"}', {"type": "is-json", "value": SCHEMA}),
    ("no { object } here", {"type": "contains-json"}),
    ('{"a": "x"}', {"type": "contains-json", "value": SCHEMA}),
]


@pytest.mark.parametrize(("answer", "assertion"), HOLDS)
def test_what_holds_passes_and_its_opposite_fails(answer: str, assertion: dict[str, Any]) -> None:
    opposite = {**assertion, "type": f"not-{assertion['type']}"}

    assert verdict_on(answer, assertion).outcome == "pass"
    assert verdict_on(answer, opposite).outcome == "fail"


@pytest.mark.parametrize(("answer", "assertion"), HOLDS_NOT)
def test_what_does_not_hold_fails_and_its_opposite_passes(answer: str, assertion: dict[str, Any]) -> None:
    opposite = {**assertion, "type": f"not-{assertion['type']}"}

    assert verdict_on(answer, assertion).outcome == "fail"
    assert verdict_on(answer, opposite).outcome == "pass"


def test_the_verdict_is_named_as_in_the_file_and_says_why() -> None:
    verdict = verdict_on(SAID, {"type": "not-contains", "value": "world"})

    assert verdict.check == "not-contains"
    assert verdict.because == "contains: the answer contains “world”"


def test_a_text_is_shown_where_it_stands() -> None:
    verdict = verdict_on(SAID, {"type": "icontains", "value": "WORLD"})

    assert verdict.reading is not None
    assert verdict.reading.evidence[0].answer is not None
    assert (verdict.reading.evidence[0].answer.start, verdict.reading.evidence[0].answer.text) == (6, "world")


def test_equals_shows_the_first_place_that_differs() -> None:
    verdict = verdict_on(SAID, {"type": "equals", "value": "Hello there"})

    assert verdict.because == "the answer differs from character 7 on: “world 42”, expected “there”"


def test_a_schema_says_where_the_json_is_wrong() -> None:
    verdict = verdict_on('{"a": "x"}', {"type": "is-json", "value": SCHEMA})

    assert "`$.a`: 'x' is not of type 'number'" in verdict.because


def test_a_schema_that_refers_elsewhere_is_an_error_and_is_not_fetched() -> None:
    schema = {"$ref": "https://example.invalid/schema.json"}

    assert verdict_on("{}", {"type": "is-json", "value": schema}).outcome == "error"


def test_values_come_from_files(tmp_path: Path) -> None:
    (tmp_path / "wanted.txt").write_text("Hello world 42\n")
    (tmp_path / "schema.json").write_text('{"required": ["a"]}')
    (tmp_path / "texts.yaml").write_text("[Hello, '42']")
    around = about(tmp_path)

    assert verdict_on(SAID, {"type": "equals", "value": "file://wanted.txt"}, around=around)
    assert verdict_on('{"a": 1}', {"type": "is-json", "value": "file://schema.json"}, around=around)
    assert verdict_on(SAID, {"type": "contains-all", "value": "file://texts.yaml"}, around=around)


@pytest.mark.parametrize("value", ["file://missing.txt", "file://code.js"])
def test_a_file_that_cannot_be_used_is_an_error_with_its_place(value: str, tmp_path: Path) -> None:
    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: .*(missing\.txt|code\.js)"):
        read({"type": "contains", "value": value}, around=about(tmp_path))


def test_each_text_of_a_list_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "banned.txt").write_bytes(b"\xef\xbb\xbfworld\n")
    around = about(tmp_path)

    for value in ("file://banned.txt", ["no", "file://banned.txt"]):
        assertion = {"type": "not-contains-any", "value": value}
        assert verdict_on(SAID, assertion, around=around).outcome == "fail"
    (tmp_path / "texts.yaml").write_text("- no\n- file://banned.txt\n")
    with pytest.raises(BatteryError, match=r"texts\.yaml:2:3: no file is read here"):
        read({"type": "not-contains-any", "value": "file://texts.yaml"}, around=around)
    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: .*gone\.txt"):
        read({"type": "not-contains-any", "value": ["file://gone.txt"]}, around=around)


@pytest.mark.parametrize("value", [{"a": "file://secret.txt"}, [{"a": ["file://secret.txt"]}]])
def test_a_file_is_not_looked_for_within_a_mapping(value: Any, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x")
    (tmp_path / "held.json").write_text(json.dumps(value))

    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: no file is read here; .*`file://secret\.txt`"):
        read({"type": "not-equals", "value": value}, around=about(tmp_path))
    with pytest.raises(BatteryError, match=r"held\.json:1:\d+: no file is read here"):
        read({"type": "not-equals", "value": "file://held.json"}, around=about(tmp_path))


@pytest.mark.parametrize(
    ("assertion", "said"),
    [
        ({"type": "not-equals", "value": None}, "`value` is empty"),
        ({"type": "regex", "value": ""}, "`regex` is empty"),
        ({"type": "is-json", "value": {"requierd": ["a"]}}, "did you mean `required`"),
        (
            {"type": "is-json", "value": {"properties": {"a": {"typ": "string"}}}},
            "`typ` is not a known keyword",
        ),
        ({"type": "is-json", "value": {"items": {"anyOf": [{"minimun": 1}]}}}, "`minimun` is not a known"),
        ({"type": "is-json", "value": "required: [a]\nrequired: [b]"}, "stands there twice"),
        ({"type": "is-json", "value": '{"required": ["a"], "required": []}'}, "stands there twice"),
        ({"type": "is-json", "value": "[" * 3000 + "]" * 3000}, "nested more than 100 levels deep"),
        ({"type": "is-json", "value": "file://twice.yaml"}, "stands there twice"),
        (
            {"type": "check", "check": {"kind": "drift_threshold", "expected": "file://x.txt"}},
            "no file is read",
        ),
        ({"type": "contains", "value": "x", "weight": 10**400}, "`weight` must be a number from 0 to 1e+06"),
    ],
)
def test_what_would_ask_nothing_is_an_error_with_its_place(
    assertion: dict[str, Any], said: str, tmp_path: Path
) -> None:
    (tmp_path / "twice.yaml").write_text("type: object\ntype: string\n")

    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: ") as caught:
        read(assertion, around=about(tmp_path))
    assert said in str(caught.value)


def test_a_file_of_values_is_read_as_the_battery_is(tmp_path: Path) -> None:
    (tmp_path / "wanted.yaml").write_text("{a: no, b: 2024-05-03}")
    wanted = {"type": "equals", "value": "file://wanted.yaml"}

    assert verdict_on('{"a": "no", "b": "2024-05-03"}', wanted, around=about(tmp_path)).outcome == "pass"


def test_a_number_of_any_length_is_a_text() -> None:
    assert verdict_on("1" + "0" * 400, {"type": "contains", "value": 10**400}).outcome == "pass"


def test_latency_and_cost_are_held_against_their_thresholds() -> None:
    sample = Sample("Hi", latency_ms=100.0, cost=0.5)

    assert verdict_on(sample, {"type": "latency", "threshold": 100}).outcome == "pass"
    assert verdict_on(sample, {"type": "latency", "threshold": 99.9}).outcome == "fail"
    assert verdict_on(sample, {"type": "cost", "threshold": 0.5}).outcome == "pass"
    assert verdict_on(sample, {"type": "not-cost", "threshold": 0.5}).outcome == "fail"


@pytest.mark.parametrize("kind", ["latency", "cost", "not-latency", "not-cost"])
def test_what_the_source_did_not_tell_is_an_error_not_a_pass(kind: str) -> None:
    assert verdict_on("Hi", {"type": kind, "threshold": 1}).outcome == "error"
