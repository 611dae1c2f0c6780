"""The folder of cards, from settings to a shelf."""

from pathlib import Path

import pytest

from sensecheck.calibration.library import Shelf
from sensecheck.checks.gate import Gate
from sensecheck.cli.check.check import own_check
from sensecheck.config import Settings, shelf
from sensecheck.core.backends import Answerers
from sensecheck.core.errors import SpecError
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.sense import Sense
from tests.calibration.fitting import FPR, card_of, normal_rows


def test_without_a_folder_of_ones_own_there_are_the_shipped_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert shelf(Settings()) == Shelf.shipped()
    assert Settings().cards_folder() == Path("cards")


def test_the_folder_in_the_working_directory_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    card = card_of(normal_rows(1, 100, 100), FPR)
    Path("cards").mkdir()
    Path("cards/words.json").write_text(card.to_json())

    assert shelf(Settings()).card("words") == card
    assert set(shelf(Settings()).names()) == {"words", *Shelf.shipped().names()}
    sense = Sense.load("hashing", settings=Settings(cache="off"))
    assert sense.check(
        {"kind": "gate", "measure": {"kind": "keyword_overlap"}, "cutoff": {"fpr": 0.05}}
    ) == sense.check({"kind": "gate", "measure": {"kind": "keyword_overlap"}, "cutoff": "words"})


def test_a_folder_that_was_named_must_be_there(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    settings = Settings.from_environment({"SENSECHECK_CARDS": str(nowhere), "SENSECHECK_CACHE": "off"})

    with pytest.raises(SpecError, match=r"`cards` wants a folder; .*nowhere` is none"):
        shelf(settings)
    with pytest.raises(SpecError, match="`cards` wants a folder"):
        Sense.load("hashing", settings=settings)
    nowhere.mkdir()
    assert shelf(settings).folders[0] == nowhere


def test_a_file_is_no_folder_of_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cards").write_text("")

    with pytest.raises(SpecError, match="`cards` wants a folder; `cards` is none"):
        shelf(Settings())
    with pytest.raises(SpecError, match="`cards` wants a folder such as `cards`; found an empty text"):
        Settings(cards="")


def test_a_folder_of_ones_own_may_lie_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert Settings(cards="~/cards").cards_folder() == tmp_path / "cards"


def test_a_sense_without_a_shelf_has_the_shipped_cards() -> None:
    with pytest.raises(SpecError, match="`nobodys` is not a known card"):
        Sense(Answerers()).check({"kind": "means", "threshold": "nobodys"})


def test_the_command_line_finds_cards_where_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = card_of(normal_rows(1, 100, 100), FPR)
    (tmp_path / "words.json").write_text(card.to_json())
    asked = tmp_path / "asked"
    asked.write_text('{"kind": "gate", "measure": {"kind": "keyword_overlap"}, "cutoff": "words"}')
    monkeypatch.setenv("SENSECHECK_CARDS", str(tmp_path))

    assert own_check(str(asked), None, {}) == Gate(KeywordOverlap(), card.cutoff())
