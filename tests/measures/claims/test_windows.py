"""Passages are cut into windows, and nothing of them goes unread."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import usual_seconds

from sensecheck.core.errors import SpecError
from sensecheck.measures.claims.pieces import pieces, seams
from sensecheck.measures.claims.windows import windows

TEXTS = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(["word ", "It is. ", "\n\n", "- ", "…", "ก" * 30, "本。", "```\n", "a " * 30, ". B"])
    ).map("".join),
)


def test_a_short_passage_is_one_window() -> None:
    (window,) = windows(["  It is open. It closes at five.\n"])

    assert (window.passage, window.start, window.end) == (0, 2, 32)
    assert window.text == "It is open. It closes at five."


def test_windows_hold_whole_sentences_and_share_one() -> None:
    passage = "A one two. B one two. C one two. D one two. E one two."
    found = [window.text for window in windows([passage], words=6)]

    assert found == [
        "A one two. B one two.",
        "B one two. C one two.",
        "C one two. D one two.",
        "D one two. E one two.",
    ]


def test_more_sentences_may_be_shared() -> None:
    passage = "A one. B one. C one. D one. E one."

    assert [window.text for window in windows([passage], words=6, overlap=2)] == [
        "A one. B one. C one.",
        "B one. C one. D one.",
        "C one. D one. E one.",
    ]


def test_two_long_neighbours_meet_and_a_longer_sentence_stands_alone() -> None:
    long, longer = "word " * 80 + "end.", "word " * 219 + "end."

    assert windows([f"{long} {long}".replace("w", "W", 1)])[0].text.count("end.") == 2
    assert [window.text for window in windows([f"It is. {longer} It was."])] == ["It is.", longer, "It was."]


def test_a_sentence_of_more_than_twice_the_limit_is_cut_between_words_with_overlap() -> None:
    passage = " ".join(f"word{number}" for number in range(25)) + "."
    found = windows([passage], words=10)

    assert found[0].text == " ".join(f"word{number}" for number in range(10))
    assert found[-1].text.endswith("word24.")
    assert all(two.start < one.end for one, two in pairwise(found))


def test_text_without_spaces_is_cut_too() -> None:
    found = windows(["ก" * 10_000])

    assert max(len(window.text) for window in found) <= 110 * 24
    assert len(found) > 3


def test_each_window_names_its_passage() -> None:
    assert [window.passage for window in windows(["It is.", "", "It was."])] == [0, 2]


@pytest.mark.parametrize("sizes", [{"words": 0}, {"overlap": 0}])
def test_a_window_without_room_is_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(SpecError, match="at least 1"):
        windows(["It is."], **sizes)


@given(st.lists(TEXTS, max_size=3), st.integers(1, 12), st.integers(1, 3))
def test_nothing_goes_unread_and_neighbours_meet(passages: list[str], words: int, overlap: int) -> None:
    found = windows(passages, words=words, overlap=overlap)

    assert all(passages[each.passage][each.start : each.end] == each.text for each in found)
    assert all(each.text == each.text.strip() for each in found)
    assert all(len(seams(each.text)) <= 2 * words + 2 for each in found)
    for number, passage in enumerate(passages):
        mine = [each for each in found if each.passage == number]
        read = {at for each in mine for at in range(each.start, each.end)}
        assert all(at in read or letter.isspace() for at, letter in enumerate(passage))
        for one, two in pairwise(pieces(passage)):
            if len(seams(one.text)) + len(seams(two.text)) <= 2 * words:
                assert any(each.start <= one.start and two.end <= each.end for each in mine)


@given(TEXTS)
def test_pieces_are_the_sentences_with_their_places(passage: str) -> None:
    found = pieces(passage)

    assert all(passage[piece.start : piece.end] == piece.text for piece in found)
    assert "".join("".join(piece.text.split()) for piece in found) == "".join(passage.split())


@pytest.mark.parametrize("unit", [".", "a. ", "a ", "本", "ก", "! "])
def test_a_long_passage_takes_little_time(unit: str) -> None:
    begun = time.thread_time()
    windows([unit * (200_000 // len(unit))])

    assert usual_seconds(begun) < 4
