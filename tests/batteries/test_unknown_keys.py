"""All unknown keys of a battery are reported at once, each with its place and the nearest known one."""

import re
from pathlib import Path

import pytest

from sensecheck.batteries.reader import read_battery
from sensecheck.core.errors import BatteryError

HEAD = """\
promts: [Hello]
prompts: [{raw: Hello, lable: short}]
providers:
  - {id: echo, labl: one}
  - echo: {confg: {}}
evaluateOptions: {maxConcurency: 2}
repeat: {runs: 3, passes: 2}
defaultTest:
  options: {prefx: a}
  asert: []
tests:
  - vars: {city: Bern}
    asserts: []
    desciption: x
"""
TESTS = """\
tests:
  - vars: {city: Bern}
    providerOutput: Bern
    asert: []
    options: {sufix: a, prefx: b}
    repeats: 3
    assert:
      - {type: equals, valeu: Bern, wieght: 2}
      - type: assert-set
        treshold: 0.5
        assert: [{type: not-contains, vlaue: Bonn}]
    embedding_validation: {type: drift_threshold, expect: Bern, treshold: 0.9}
  - providerOutput: Bonn
    assert: [{type: equals, value: Bonn}]
    vrs: {}
"""


def said_of(folder: Path, text: str) -> list[str]:
    (folder / "b.yaml").write_text(text)
    with pytest.raises(BatteryError) as caught:
        read_battery(folder / "b.yaml", environment={})
    return str(caught.value).splitlines()


def unknown_in(lines: list[str]) -> list[tuple[int, str, str]]:
    """The line, the key and the nearest known one, of each message that is about an unknown key."""
    found = (re.search(r":(\d+):\d+: `(.+?)` is not a known key .*mean `(.+?)`", line) for line in lines)
    return [(int(one[1]), one[2], one[3]) for one in found if one is not None]


def test_those_of_the_head_and_of_the_tests_together(tmp_path: Path) -> None:
    lines = said_of(tmp_path, HEAD)

    assert unknown_in(lines) == [
        (1, "promts", "prompts"),
        (2, "lable", "label"),
        (4, "labl", "label"),
        (5, "confg", "config"),
        (6, "maxConcurency", "maxConcurrency"),
        (7, "passes", "pass"),
        (10, "asert", "assert"),
        (9, "prefx", "prefix"),
        (13, "asserts", "assert"),
        (14, "desciption", "description"),
    ]
    assert len(lines) == 10, "and nothing that follows from them"


def test_those_of_tests_down_to_their_assertions(tmp_path: Path) -> None:
    assert unknown_in(said_of(tmp_path, TESTS)) == [
        (4, "asert", "assert"),
        (6, "repeats", "repeat"),
        (5, "sufix", "suffix"),
        (5, "prefx", "prefix"),
        (8, "valeu", "value"),
        (8, "wieght", "weight"),
        (10, "treshold", "threshold"),
        (11, "vlaue", "value"),
        (12, "expect", "expected"),
        (12, "treshold", "threshold"),
        (15, "vrs", "vars"),
    ]


def test_those_of_tests_in_other_files_when_the_head_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("- {asert: [], vrs: {}}\n")

    lines = said_of(tmp_path, "promts: [Hello]\ntests: file://more.yaml\n")

    assert [key for _, key, _ in unknown_in(lines)] == ["promts", "asert", "vrs"]
    assert lines[1].startswith(f"{tmp_path / 'more.yaml'}:1:4: ")


def test_those_of_the_default_beside_another_mistake(tmp_path: Path) -> None:
    text = "defaultTest: {assert: [{type: equals, value: x, wieght: 2}]}\ntests: [{vars: 7}]\n"

    lines = said_of(tmp_path, text)

    assert [key for _, key, _ in unknown_in(lines)] == ["wieght"]
    assert any("`vars` must be a mapping" in line for line in lines)


TYPES = """\
defaultTest:
  options: {provider: openai:chat:gpt-4o, rubricPrompt: "Grade it"}
tests:
  - providerOutput: Bern
    assert:
      - {type: simillar, value: Bern}
      - {type: llm-rubric}
      - {type: levenshtein, value: Bern, threshold: -1}
      - {type: assert-set, assert: [{type: not-contians, value: Bonn}]}
  - providerOutput: Bonn
    assert: [{type: perplexity, threshold: 3}, {value: Bonn}, {type: "{{kind}}", value: Bonn}]
    vars: {kind: equals}
"""


def places_in(lines: list[str]) -> set[tuple[int, str]]:
    """The line of each message, and the word that it is about."""
    found = (re.search(r":(\d+):\d+: (?:an assertion lacks the key )?`(.+?)`", line) for line in lines)
    return {(int(one[1]), one[2]) for one in found if one is not None}


def test_types_of_assertions_are_reported_along_with_keys(tmp_path: Path) -> None:
    lines = said_of(tmp_path, TYPES)

    assert places_in(lines) == {
        (2, "provider"),
        (2, "rubricPrompt"),
        (6, "simillar"),
        (7, "llm-rubric"),
        (8, "threshold"),
        (9, "not-contians"),
        (11, "perplexity"),
        (11, "type"),
    }
    assert len(lines) == 8


def test_types_are_reported_though_the_head_has_an_unknown_key(tmp_path: Path) -> None:
    lines = said_of(tmp_path, f"promts: [Hello]\n{TYPES}")

    assert {(1, "promts"), (3, "provider"), (7, "simillar"), (12, "perplexity")} <= places_in(lines)


@pytest.mark.parametrize("text", ["prompts: 7\npromts: 7\n", "tests: 7\ntest: 7\n", "repeat: 7\ntest: 7\n"])
def test_what_has_another_shape_is_left_to_the_reading(tmp_path: Path, text: str) -> None:
    assert len(unknown_in(said_of(tmp_path, text))) == 1


def test_a_key_of_the_users_own_is_none_of_them(tmp_path: Path) -> None:
    assert len(unknown_in(said_of(tmp_path, "x-notes: 7\npromts: 7\ntests: [{x-mine: 1, vrs: {}}]\n"))) == 2
