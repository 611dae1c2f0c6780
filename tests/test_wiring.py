"""The folder of cards, from settings to a library."""

from pathlib import Path

import pytest

from sensecheck.assessment import AnswerCheckRequest
from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.gate import Gate
from sensecheck.config import Settings, card_library
from sensecheck.core.backends import Backends
from sensecheck.core.errors import SpecError
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.sense import Sense
from tests.calibration.fitting import FPR, card_of, normal_rows


def test_without_a_folder_of_ones_own_there_are_the_shipped_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert card_library(Settings()) == CardLibrary.shipped()
    assert Settings().cards_folder() == Path("cards")


def test_the_folder_in_the_working_directory_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    card = card_of(normal_rows(1, 100, 100), FPR)
    Path("cards").mkdir()
    Path("cards/words.json").write_text(card.to_json())

    assert card_library(Settings()).card("words") == card
    assert set(card_library(Settings()).names()) == {"words", *CardLibrary.shipped().names()}
    sense = Sense.load("hashing", settings=Settings(cache="off"))
    assert sense.check(
        {"kind": "gate", "measure": {"kind": "keyword_overlap"}, "cutoff": {"fpr": 0.05}}
    ) == sense.check({"kind": "gate", "measure": {"kind": "keyword_overlap"}, "cutoff": "words"})


def test_a_folder_that_was_named_must_be_there(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    settings = Settings.from_environment({"SENSECHECK_CARDS": str(nowhere), "SENSECHECK_CACHE": "off"})

    with pytest.raises(SpecError, match=r"`cards` must be a folder; .*nowhere` is none"):
        card_library(settings)
    with pytest.raises(SpecError, match="`cards` must be a folder"):
        Sense.load("hashing", settings=settings)
    nowhere.mkdir()
    assert card_library(settings).folders[0] == nowhere


def test_a_file_is_no_folder_of_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cards").write_text("")

    with pytest.raises(SpecError, match="`cards` must be a folder; `cards` is none"):
        card_library(Settings())
    with pytest.raises(SpecError, match="`cards` must be a folder such as `cards`; got an empty string"):
        Settings(cards="")


def test_a_folder_of_ones_own_may_lie_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert Settings(cards="~/cards").cards_folder() == tmp_path / "cards"


def test_a_sense_without_a_library_has_the_shipped_cards() -> None:
    with pytest.raises(SpecError, match="`nobodys` is not a known card"):
        Sense(Backends()).check({"kind": "means", "threshold": "nobodys"})


def test_the_command_line_finds_cards_where_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = card_of(normal_rows(1, 100, 100), FPR)
    (tmp_path / "words.json").write_text(card.to_json())
    asked = tmp_path / "asked"
    asked.write_text('{"kind": "gate", "measure": {"kind": "keyword_overlap"}, "cutoff": "words"}')
    monkeypatch.setenv("SENSECHECK_CARDS", str(tmp_path))

    assert AnswerCheckRequest(check=str(asked)).own_check() == Gate(KeywordOverlap(), card.cutoff())
