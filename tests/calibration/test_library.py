"""Cards by name, and by what they promise."""

from dataclasses import replace
from pathlib import Path

import pytest

from sensecheck.calibration.card import Card
from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.target import Target
from sensecheck.core.errors import SpecError
from sensecheck.core.threshold import cutoff_of
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import Similarity
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows

ROWS = normal_rows(1, 200, 400)
WORDS = card_of(ROWS, FPR)


def named(name: str, **changes: object) -> Card:
    return replace(WORDS, name=name, **changes)  # type: ignore[arg-type]  # of many kinds


def library_of(folder: Path, *cards: Card) -> CardLibrary:
    for card in cards:
        (folder / f"{card.name}.json").write_text(card.to_json(), encoding="utf-8")
    return CardLibrary((folder,))


def test_a_card_is_found_by_its_name(tmp_path: Path) -> None:
    library = library_of(tmp_path, WORDS, named("other-words_2.1"))

    assert library.names() == ["other-words_2.1", "words"]
    assert library.card("words") == WORDS
    assert library.cutoff_source("words") == WORDS


def test_a_folder_may_be_named_by_a_string(tmp_path: Path) -> None:
    library = CardLibrary((str(tmp_path),))  # type: ignore[arg-type]

    assert library == CardLibrary((tmp_path,))
    assert library.names() == []
    with pytest.raises(SpecError, match=r"`folders` must be a tuple of paths, such as .*; got 'cards'"):
        CardLibrary("cards")  # type: ignore[arg-type]


def test_an_unknown_name_has_a_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"`wordz` is not a known card; did you mean `words`\?"):
        library_of(tmp_path, WORDS).card("wordz")


def test_a_library_without_cards_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(
        SpecError, match=rf"`words` is not a known card; there is none; looked in `{tmp_path}`"
    ):
        CardLibrary((tmp_path,)).card("words")


def test_a_number_in_quotes_is_no_name_unless_a_card_has_it(tmp_path: Path) -> None:
    library = library_of(tmp_path, named("2026"))

    assert library.cutoff_source("2026") == named("2026")
    with pytest.raises(SpecError, match=r"a number is written without quotes; got the string `0.7`"):
        library.cutoff_source("0.7")


def test_a_line_stays_the_line_that_it_is() -> None:
    assert CardLibrary(()).cutoff_source(WORDS) is WORDS


def test_a_cutoff_is_that_of_its_card_on_either_side(tmp_path: Path) -> None:
    below = named("below", good="below")
    library = library_of(tmp_path, below)

    assert library.cutoff("below", KeywordOverlap()) == below.cutoff()
    assert library.cutoff({"fpr": 0.05}, KeywordOverlap()) == below.cutoff()


@pytest.mark.parametrize("name", ["../words", "/etc/words", "Words", ".words", "", "a/b", "words\n", "a b"])
def test_a_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "inner").mkdir()
    library_of(tmp_path, WORDS)

    with pytest.raises(SpecError, match="a card's name must be of small letters"):
        CardLibrary((tmp_path / "inner",)).card(name)


def test_one_name_in_two_folders_is_an_error(tmp_path: Path) -> None:
    folders = (tmp_path / "one", tmp_path / "two")
    for folder in folders:
        folder.mkdir()
        library_of(folder, WORDS)

    with pytest.raises(SpecError, match="the card `words` is in two places"):
        CardLibrary(folders).card("words")


def test_a_file_must_be_named_like_its_card(tmp_path: Path) -> None:
    (tmp_path / "sentences.json").write_text(WORDS.to_json())

    with pytest.raises(SpecError, match="is called `words`; expected `sentences`"):
        CardLibrary((tmp_path,)).card("sentences")


def test_a_file_that_is_no_card_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "words.json").write_bytes(b"\xff")

    with pytest.raises(SpecError, match=r"words.json` cannot be read"):
        CardLibrary((tmp_path,)).card("words")


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="is not a folder of cards"):
        CardLibrary((tmp_path / "nowhere",)).names()


def test_the_shipped_cards_can_be_read() -> None:
    assert all(card.licence for card in CardLibrary.shipped().cards())


def test_a_number_stays_a_number() -> None:
    library = CardLibrary(())

    assert library.cutoff_source(0.7) == 0.7
    assert library.cutoff_source(0) == 0.0
    for wrong in (True, None, [0.7]):
        with pytest.raises(SpecError, match="`threshold` must be a number"):
            library.cutoff_source(wrong)


def test_a_promise_finds_the_card_that_keeps_it(tmp_path: Path) -> None:
    line = library_of(tmp_path, WORDS).cutoff_source({"fpr": 0.05})

    assert cutoff_of(line, KeywordOverlap(), "above") == WORDS.cutoff()


def test_of_several_the_one_that_promises_least_beyond_is_taken(tmp_path: Path) -> None:
    cards = [
        named("strict", targets=(Target("false_accepts", 0.01, 0.95),)),
        named("near", targets=(Target("false_accepts", 0.06, 0.95),), line=9.0),
        named("surer", targets=(Target("false_accepts", 0.06, 0.99),)),
        named("loose", targets=(Target("false_accepts", 0.2, 0.95),)),
        named("average", method="conformal", targets=(Target("false_accepts", 0.07),)),
        named("rejects", targets=(Target("false_rejects", 0.07, 0.95),)),
    ]
    line = library_of(tmp_path, *cards).promising(Target("false_accepts", 0.07))

    assert line.cutoff_for(KeywordOverlap(), "above").value == 9.0


def test_a_card_with_two_promises_keeps_either(tmp_path: Path) -> None:
    library = library_of(tmp_path, card_of(ROWS, FPR, FNR))

    for wanted in ({"fpr": 0.05}, {"fnr": 0.2, "confidence": 0.9}):
        assert cutoff_of(library.cutoff_source(wanted), KeywordOverlap(), "above").calibrated


@pytest.mark.parametrize("other", [named("twin"), named("elsewhere", encoder="minilm:1")])
def test_a_promise_that_two_cards_keep_is_an_error_that_names_them(tmp_path: Path, other: Card) -> None:
    line = library_of(tmp_path, WORDS, other).cutoff_source({"fpr": 0.05})

    with pytest.raises(SpecError, match=f"`{other.name}`, `words`; name the one that is meant"):
        cutoff_of(line, KeywordOverlap(), "above")


def test_a_promise_that_no_card_keeps_says_how_to_make_one(tmp_path: Path) -> None:
    library = library_of(tmp_path, WORDS)
    command = r"sensecheck calibrate … --fpr 0.01 --confidence 0.95"

    with pytest.raises(
        SpecError, match=rf"no card promises false accepts <= 1% .* for `keyword_overlap`.*{command}"
    ):
        cutoff_of(library.cutoff_source({"fpr": 0.01}), KeywordOverlap(), "above")
    with pytest.raises(SpecError, match="for `similarity`"):
        cutoff_of(library.cutoff_source({"fpr": 0.05}), Similarity(), "above")
    with pytest.raises(SpecError, match="no card promises"):
        cutoff_of(library.cutoff_source({"fpr": 0.05}), KeywordOverlap(), "below")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Notes.json", "a card's name must be of small letters"),
        ("notes.json", "is not a card: it has no `format`"),
    ],
)
def test_a_stray_file_is_named_where_it_is_in_the_way_of_a_promise(
    tmp_path: Path, name: str, said: str
) -> None:
    library = library_of(tmp_path, WORDS)
    (tmp_path / name).write_text("{}")

    assert library.card("words") == WORDS
    with pytest.raises(SpecError) as told:
        cutoff_of(library.cutoff_source({"fpr": 0.05}), KeywordOverlap(), "above")
    assert str(told.value).startswith(f"`{tmp_path / name}` is among the cards and cannot be used: ")
    assert said in str(told.value)
    assert str(told.value).endswith("fix it, rename or move it")
