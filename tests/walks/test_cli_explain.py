"""`sensecheck explain`, `embed` and `schema`: looking at what verdicts are made of."""

import json

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.space import Space
from tests.walks.cli import typed

A = "The bridge opened in 1932. It is red."
B = "It is red. The bridge opened in 1937. Prince Henry came."


@pytest.mark.core
def test_the_differing_number_is_marked_in_both_sentences() -> None:
    found = typed("explain", A, B)

    lines = [line.strip() for line in found.stdout.splitlines()]
    at = lines.index("A  The bridge opened in «1932».")
    assert lines[at + 1] == "B  The bridge opened in «1937»."
    assert "`1932`" in lines[at + 2]
    assert "`1937`" in lines[at + 2]
    assert found.exit_code == 0


def test_what_only_the_second_text_says_is_shown() -> None:
    found = typed("explain", A, B)

    after = found.stdout.partition("only in B\n")[2]
    assert "«Prince Henry» came." in after
    assert "The bridge" not in after


def test_the_last_line_sums_up() -> None:
    differing = typed("explain", A, B).stdout.splitlines()[-1]
    same = typed("explain", A, A).stdout.splitlines()[-1]

    assert differing.startswith("similarity of the whole texts 0.")
    assert "2 facts differ" in differing
    assert same == "similarity of the whole texts 1.000; no fact differs"


def test_on_a_terminal_the_difference_is_coloured() -> None:
    found = typed("explain", A, B, FORCE_COLOR="1", COLUMNS="100")

    assert "\x1b[1;7;31m1932\x1b[0m" in found.stdout
    assert "«" not in found.stdout


def test_json_points_at_the_characters() -> None:
    found = json.loads(typed("explain", A, B, "--json").stdout)

    changed = next(item for item in found["differences"] if item["change"] == "changed")
    assert A[slice(*changed["a"])] == "1932"
    assert B[slice(*changed["b"])] == "1937"
    assert [B[slice(*pair["b"])] for pair in found["sentences"]] == [
        "The bridge opened in 1937.",
        "It is red.",
    ]


def test_a_text_that_cannot_be_placed_cannot_be_explained() -> None:
    found = typed("explain", A, " ")

    assert found.stderr == "error: the text is empty\n"
    assert found.exit_code == 3


def test_hostile_sentences_are_explained_safely() -> None:
    found = typed("explain", "The [red]bridge[/] \x1b]title\x07 has 5 arches.", "It has 6 arches.")

    assert "[red]bridge[/] \\x1b]title\\x07 has «5" in found.stdout
    assert "\x1b" not in found.stdout


def test_vectors_are_those_of_the_space(minilm: Encoder) -> None:
    texts = ("It is red.", "Ça va? " * 300)

    found = json.loads(typed("embed", *texts, "--encoder", "minilm", "--json").stdout)

    space = Space.of(texts, minilm)
    assert [item["vector"] for item in found] == [space.vector(text).tolist() for text in texts]
    assert [item["text_chars"] for item in found] == [10, 2100]
    assert found[0]["windows"] == 1 < found[1]["windows"]
    assert {item["fingerprint"] for item in found} == {minilm.fingerprint}


def test_people_are_shown_the_first_numbers() -> None:
    found = typed("embed", "It is red.", "@@home")

    assert "“@home”" in found.stdout
    assert "256 dimensions, 1 window" in found.stdout
    assert "… 250 more" in found.stdout


@pytest.mark.core
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_the_schema_is_json_and_knows_the_presets(more: list[str]) -> None:
    schema = json.loads(typed("schema", *more).stdout)

    assert "means" in {kind["title"] for kind in schema["$defs"]["check"]["oneOf"]}
