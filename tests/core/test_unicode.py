"""Places in a text are the same places, however they are counted."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.errors import SpecError
from sensecheck.core.unicode import (
    Encoding,
    Offsets,
    decoded,
    encoded,
    original_offsets,
    pair_key,
    printable,
    readable,
    squeezed,
    text_key,
)
from tests.pace import usual_seconds

ANY = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs"]),
        st.sampled_from([*"aé本한אب", "\u0301", "\u200d", "😀", "👩", "\U0010ffff", "\u202e"]),
    )
)


@st.composite
def spanned(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    text = draw(ANY)
    edge = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(edge, edge).map(lambda pair: (min(pair), max(pair)))))
    return text, spans


@pytest.mark.parametrize(
    ("text", "utf16", "utf8"),
    [
        ("plain", (1, 2), (1, 2)),
        ("éa", (1, 2), (2, 3)),
        ("本a", (1, 2), (3, 4)),
        ("😀a", (2, 3), (4, 5)),
        ("\ud83da", (1, 2), (3, 4)),
    ],
)
def test_the_second_character_is_counted(text: str, utf16: tuple[int, int], utf8: tuple[int, int]) -> None:
    assert encoded(text, [(1, 2)], "code_points") == [(1, 2)]
    assert encoded(text, [(1, 2)], "utf16") == [utf16]
    assert encoded(text, [(1, 2)], "utf8") == [utf8]


@given(spanned())
def test_a_slice_of_the_encoded_text_holds_the_same_characters(
    case: tuple[str, list[tuple[int, int]]],
) -> None:
    text, spans = case
    wide, narrow = text.encode("utf-16-le", "surrogatepass"), text.encode("utf-8", "surrogatepass")

    for (start, end), (first, last) in zip(spans, encoded(text, spans, "utf16"), strict=True):
        assert wide[2 * first : 2 * last] == text[start:end].encode("utf-16-le", "surrogatepass")
    for (start, end), (first, last) in zip(spans, encoded(text, spans, "utf8"), strict=True):
        assert narrow[first:last].decode("utf-8", "surrogatepass") == text[start:end]


@given(spanned(), st.sampled_from(["code_points", "utf16", "utf8"]))
def test_there_and_back_is_where_one_was(case: tuple[str, list[tuple[int, int]]], encoding: Encoding) -> None:
    text, spans = case

    assert decoded(text, encoded(text, spans, encoding), encoding) == spans


@pytest.mark.parametrize("span", [(-1, 1), (0, 4), (2, 1), (4, 4)])
@pytest.mark.parametrize("text", ["abc", "a😀c"])
@pytest.mark.parametrize("encoding", ["code_points", "utf16", "utf8"])
def test_a_span_outside_the_text_is_refused(text: str, span: tuple[int, int], encoding: Encoding) -> None:
    with pytest.raises(SpecError, match=f"the span {span[0]} to {span[1]} is not within the text"):
        encoded(text, [span], encoding)


def test_an_offset_within_a_character_is_refused() -> None:
    with pytest.raises(SpecError, match="the offset 2 lies within a character"):
        Offsets.of("a😀", "utf16").decoded([(0, 2)])


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(SpecError, match="`utf7` is not a known encoding"):
        Offsets.of("plain", "utf7")  # type: ignore[arg-type]


def test_many_spans_of_a_long_text_take_little_time() -> None:
    text = "😀a" * 200_000
    begun = time.thread_time()
    encoded(text, [(at, at + 1) for at in range(200_000)], "utf8")

    assert usual_seconds(begun) < 2


def test_two_texts_have_one_key_only_in_their_order_and_where_the_first_ends() -> None:
    assert pair_key("ab", "c") == pair_key("ab", "c")
    keys = {
        pair_key("ab", "c"),
        pair_key("a", "bc"),
        pair_key("c", "ab"),
        pair_key("", "abc"),
        text_key("abc"),
    }
    assert len(keys) == 5
    assert {len(key) for key in keys} == {20}
    assert text_key("\ud800") != text_key("\ud801")


def test_keys_are_the_same_on_every_machine() -> None:
    assert text_key("abc").hex() == "384264f676f39536840523f284921cdc68b6846b"
    assert pair_key("ab", "c").hex() == "b9f8c5a179a90e84f72e63066d65b77f6e8667b6"


def test_what_a_copy_may_differ_in_is_left_out() -> None:
    assert squeezed("  E\u0301t\u00c9 \n 12") == "ét\u00e9 12"


def test_what_is_not_visible_is_marked_line_by_line() -> None:
    assert printable("a\nb\x1b") == "a\ufffdb\ufffd"
    assert readable("a\nb\x1b\n") == "a\nb\ufffd\n"


def test_a_very_long_pile_of_marks_counts_as_one_character() -> None:
    pile = "e" + "\u0301" * 64
    assert original_offsets(pile) == [0] * 64 + [65]
    assert original_offsets("e" + "\u0301" * 3) == [0, 2, 3, 4]
