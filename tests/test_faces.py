"""Every face takes what batteries take: one table of parameters."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sensecheck.batteries.assertions.checks import OWN_KINDS as KINDS
from sensecheck.calibration.card import Card
from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.expectation import Expectation
from sensecheck.checks.questions import PARAMETERS
from sensecheck.cli.check.check import check as cli_check
from sensecheck.cli.check.ground import ground as cli_ground
from sensecheck.core.backends import Backends
from sensecheck.core.errors import ExpectationFailed, SpecError
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.mcp.tools.checks import CheckAnswer, GroundAnswer
from sensecheck.sense import Sense
from tests.checks.opening_hours import card_of
from tests.walks.cli import typed

CONTENT = {"value", "clusters", "expected", "wanted", "passages", "question", "check"}
"""What an answer is held against."""
FACES = {
    "means": ("means", ("means", "means_each"), ("means",)),
    "keeps-facts": ("keeps_facts", ("keeps_facts_of", "keeps_facts_of_each"), ("keeps_facts_of",)),
    "cluster": ("classified_as", ("classified_as", "classified_as_each"), ("is_classified_as",)),
    "refusal": ("not_a_refusal", ("not_a_refusal", "not_a_refusal_each"), ("is_refusal", "is_not_refusal")),
    "is-refusal": ("not_a_refusal", ("not_a_refusal",), ("is_refusal",)),
    "reasoning-loop": ("not_circling", ("not_circling", "not_circling_each"), ("is_not_circling",)),
    "grounded": ("grounded", ("grounded", "grounded_each"), ("is_grounded_in",)),
    "verdict": ("verdict_is", ("verdict_is", "verdict_is_each"), ("has_verdict",)),
}
"""By type of a battery: the preset, and the methods of `Sense` and of expectations that ask the same."""
GRADED = {"context-faithfulness", "context-recall", "factuality", "model-graded-factuality"}
"""Types of promptfoo that its users know by these names, and that our presets answer."""
ASKED_BY_CHECK = ("means", "keeps_facts", "grounded", "not_a_refusal", "not_circling")


def names(face: Callable[..., Any]) -> set[str]:
    return set(inspect.signature(face).parameters)


def test_every_type_of_a_battery_that_is_a_preset_has_its_faces() -> None:
    assert set(KINDS) - {"check"} - GRADED == set(FACES)


@pytest.mark.parametrize("kind", FACES)
def test_batteries_and_every_face_take_the_parameters_of_the_preset(kind: str) -> None:
    preset, of_sense, of_tests = FACES[kind]
    wanted = set(PARAMETERS[preset])
    faces = {
        "battery": set(KINDS[kind].keys) - CONTENT,
        **{f"Sense.{name}": names(getattr(Sense, name)) for name in of_sense},
        **{f"Expectation.{name}": names(getattr(Expectation, name)) for name in of_tests},
    }

    assert {face: sorted(wanted - taken) for face, taken in faces.items() if wanted - taken} == {}
    assert faces["battery"] == wanted


def test_commands_and_tools_take_the_parameters_of_what_they_ask() -> None:
    check = {name for preset in ASKED_BY_CHECK for name in PARAMETERS[preset]}

    assert check <= names(cli_check)
    assert set(PARAMETERS["grounded"]) <= names(cli_ground)
    assert set(PARAMETERS["grounded"]) <= {field.name for field in fields(GroundAnswer)}
    assert "check" in {field.name for field in fields(CheckAnswer)}, "a check as data takes them all"


@pytest.fixture(scope="module")
def card() -> Card:
    """A line on similarity, fitted on opening hours by the encoder of unit tests."""
    return card_of(HashingEncoder())


@pytest.fixture
def sense(card: Card, tmp_path: Path) -> Sense:
    (tmp_path / "opening-hours.json").write_text(card.to_json(), encoding="utf-8")
    return Sense(Backends(HashingEncoder()), CardLibrary((tmp_path,)))


ANSWER, EXPECTED = "The zoo opens at nine in the morning.", "The zoo opens daily at nine in the morning."
BY_SIMILARITY = ("--encoder", "hashing", "--policy", "similarity")


def test_a_threshold_is_a_number_a_card_its_name_or_a_promise(sense: Sense, card: Card) -> None:
    means = partial(sense.means, ANSWER, EXPECTED, policy="similarity")
    near = means().parts[0].reading
    assert near is not None

    assert means(threshold=near.value - 0.01, doubt=0.0).outcome == "pass"
    assert means(threshold=near.value + 0.01, doubt=0.0).outcome == "fail"
    assert means(threshold=near.value + 0.01).outcome == "unsure"
    for line in (card, "opening-hours", {"fpr": 0.05}):
        found = means(threshold=line)
        assert found.parts[0].cutoff == card.cutoff()
        (same,) = sense.means_each([(ANSWER, EXPECTED)], threshold=line, policy="similarity")
        assert same == found
    with pytest.raises(SpecError, match="`closing-hours` is not a known card"):
        means(threshold="closing-hours")
    with pytest.raises(SpecError, match="`doubt` is for a threshold that is a number"):
        means(threshold="opening-hours", doubt=0.1)


def test_an_expectation_takes_a_threshold(sense: Sense) -> None:
    sense.expect(ANSWER).means(EXPECTED, threshold=0.1, policy="similarity")
    with pytest.raises(ExpectationFailed):
        sense.expect(ANSWER).means(EXPECTED, threshold=0.999, doubt=0.0, policy="similarity")


def test_the_other_questions_decide_by_the_line_that_they_are_given(sense: Sense) -> None:
    said = "It rains. It rains. The sun shines. Birds sing in the old garden."
    assert sense.not_circling(said, threshold=0.9).outcome == "pass"
    assert sense.not_circling(said, threshold=0.01).outcome == "fail"
    clusters = {"hours": ("The zoo opens at nine.",), "money": ("A ticket costs ten euros.",)}
    assert sense.classified_as("The zoo opens at nine.", clusters, "hours", doubt=0.9).outcome == "unsure"
    assert sense.classified_as("The zoo opens at nine.", clusters, "hours", by="nearest").outcome == "pass"


def test_the_command_line_takes_a_threshold_for_one_question() -> None:
    asked = ("check", ANSWER, "--means", EXPECTED, *BY_SIMILARITY)

    assert typed(*asked, "--threshold", "0.1").exit_code == 0
    assert typed(*asked, "--threshold", "0.999", "--doubt", "0").exit_code == 1
    assert "`--threshold` must be about one question; asked was `means` and `not_circling`" in (
        typed(*asked, "--not-circling", "--threshold", "0.5").stderr
    )
    refusal = ("check", ANSWER, "--not-refusal", "--encoder", "hashing", "--policy", "x")
    assert "`--policy` must be about one question; asked was none" in typed(*refusal).stderr
    assert "`--threshold` must be a promise such as" in typed(*asked, "--threshold", "fpr=much").stderr
    own = ("check", ANSWER, "--preset", "means", "--expected", EXPECTED, *BY_SIMILARITY)
    assert typed(*own, "--threshold", "0.999", "--doubt", "0").exit_code == 1
    promised = typed(*own, "--threshold", "fpr=0.05,confidence=0.9")
    assert "no card promises false accepts <= 5% with 90% confidence for `similarity`" in promised.stderr


def test_the_command_line_reads_a_card_from_its_file(card: Card, tmp_path: Path) -> None:
    path = tmp_path / "opening-hours.json"
    path.write_text(card.to_json(), encoding="utf-8")
    found = typed(*("check", ANSWER, "--means", EXPECTED, *BY_SIMILARITY, "--threshold", str(path), "--json"))

    assert "opening_hours.jsonl#000000000000 (opening-hours)" in found.stdout
