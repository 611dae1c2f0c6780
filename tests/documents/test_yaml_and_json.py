"""YAML as YAML 1.2 has it, and places for all that is wrong."""

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.documents.json import read_json_document, read_json_line
from sensecheck.documents.node import Place
from sensecheck.documents.yaml import read_document


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("true", True),
        ("FALSE", False),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"),
        ("1_000", "1_000"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("~", None),
        ("", None),
        ("'12'", "12"),
        ("!!str 12", "12"),
        ("! 12", "12"),
    ],
)
def test_plain_words_are_those_of_yaml_1_2(word: str, value: object) -> None:
    assert read_document(f"a: {word}\n", "f.yaml").plain() == {"a": value}


def test_values_and_keys_know_where_they_stand() -> None:
    node = read_document("a:\n  - b: é\n    c: 2\n", "f.yaml")

    inner = node.mapping("it")["a"].items("it")[0]
    assert inner.keys["c"] == Place("f.yaml", 3, 5)
    assert inner.mapping("it")["c"].place == Place("f.yaml", 3, 8)


def test_merged_keys_stand_under_the_mapping_s_own() -> None:
    text = "x: &x {p: 1, q: 2}\ny: &y {q: 3, r: 4}\nz: {<<: [*x, *y], p: 0}\n"

    assert read_document(text, "f.yaml").plain()["z"] == {"p": 0, "q": 2, "r": 4}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\na: 2\n", "f.yaml:2:1: the key `a` stands there twice; see f.yaml:1:1"),
        ("1: a\n", "f.yaml:1:1: a key must be a string; got `1`; write it in quotes"),
        ("? [a]\n: b\n", "f.yaml:1:3: a key must be a string"),
        ("a: &x [*x]\n", "f.yaml:1:8: the anchor `&x` contains itself"),
        ("a: *x\n", "f.yaml:1:4: there is no anchor `&x` before this"),
        ("a: 1\n---\nb: 1\n", "f.yaml:2:1: a file must hold one document"),
        ("", "f.yaml:1:1: the file is empty"),
        ("a:\n\t- b\n", "f.yaml:2:1: this is not YAML"),
        ("a: b: c\n", "f.yaml:1:5: this is not YAML"),
        ("a: !!python/name:os.system x\n", "f.yaml:1:4: the tag `!!python/name:os.system` is not known"),
        ("a: !!int x\n", "f.yaml:1:4: `x` is no int"),
        ("a: \x00\n", "f.yaml:1:1: this is not YAML"),
        ("a: -.inf\n", "f.yaml:1:4: `-.inf` is no finite number"),
        ("a: .NaN\n", "f.yaml:1:4: `.NaN` is no finite number"),
        ("a: 1e999\n", "f.yaml:1:4: `1e999` is no finite number"),
        ("a: 1" + "0" * 400, "f.yaml:1:4: the number has 401 digits"),
        ("<<: 1\n", "f.yaml:1:5: `<<` must be a mapping"),
        ("a: " + "[" * 5000, "nested more than 100 levels deep"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BatteryError) as caught:
        read_document(text, "f.yaml")
    assert said in str(caught.value)


def test_aliases_cannot_explode() -> None:
    bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 20))

    with pytest.raises(BatteryError, match="more than 5,000,000 values"):
        read_document(bomb, "f.yaml")


def test_json_knows_its_places_too_and_may_be_indented_by_tabs() -> None:
    node = read_json_document('{\n\t"a": [1, {"b": "\\ud83d\\ude00"}, []],\n\t"c": {} }', "f.json")

    assert node.plain() == {"a": [1, {"b": "😀"}, []], "c": {}}
    assert node.keys["c"] == Place("f.json", 3, 2)
    assert node.mapping("it")["a"].items("it")[1].keys["b"] == Place("f.json", 2, 12)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "{", "[NaN]", "[1e999]", "[" * 100_000])
def test_what_is_not_json_is_an_error(text: str) -> None:
    with pytest.raises(BatteryError, match=r"f\.json:1:1: "):
        read_json_document(text, "f.json")


@pytest.mark.parametrize(
    ("word", "value", "spelling"),
    [
        ("3.10", 3.1, "3.10"),
        ("1.0", 1.0, ""),
        ("1e3", 1000.0, "1e3"),
        ("-0", 0, "-0"),
        ("0.5", 0.5, ""),
        ("-7", -7, ""),
    ],
)
def test_a_number_of_json_keeps_its_spelling_in_a_row_as_in_a_document(
    word: str, value: float, spelling: str
) -> None:
    text = f'{{"a": [{word}]}}'

    for node in (read_json_document(text, "f.json"), read_json_line(text, Place("f.jsonl", 3))):
        (held,) = node.mapping("it")["a"].items("it")
        assert (held.value, held.spelling) == (value, spelling)
        assert type(held.value) is type(value)
