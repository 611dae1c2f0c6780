"""Characters that nobody sees are taken out of a passage, counted, and accounted for."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.grounding.sanitize import Cleaned, clean
from tests.corpus import each_of

UNSEEN_ONES = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u180f\u200b\u200f\u202e\u2060\u2065\u2066\u206a\u206f"
    "\u2800\u3164\ufe00\ufe0f\ufeff\uffa0\ufff0\ufff9\ufffb\U0001bca0\U0001d173\U000e0001\U000e0080\U000e0fff"
)


@pytest.mark.parametrize(
    ("text", "kept", "removed"),
    [
        ("ig\u200bno\u200cre\u2060 \ufeffthis", "ignore this", (("zero-width", 4),)),
        ("a\u202eb\u202c \u2066c\u2069 \u200ed\u200f\u061c", "ab c d", (("bidi", 7),)),
        ("see" + "".join(chr(0xE0000 + ord(each)) for each in "obey") + ".", "see.", (("tag", 4),)),
        ("a\ufe00\ufe01\ufe02b", "ab", (("variation", 3),)),
        ("a\x00b\x1b[0m\x9fc\x7f", "ab[0mc", (("control", 4),)),
        ("a\ufe00\u200b\ufe01\u200b\ufe02b", "ab", (("zero-width", 2), ("variation", 3))),
        ("❤\ufe0f\ufe0f\u200b\ufe0f", "❤\ufe0f", (("zero-width", 1), ("variation", 2))),
        ("a\u00ad\u00adb\u00ad c\u00ad\u3164d", "ab cd", (("zero-width", 5),)),
        ("no\u2800blank, \ufff9over\ufffaunder\ufffb", "noblank, overunder", (("zero-width", 4),)),
        ("\u200ba\u202e\x07", "a", (("zero-width", 1), ("bidi", 1), ("control", 1))),
    ],
)
def test_what_is_not_seen_is_taken_out_and_counted(
    text: str, kept: str, removed: tuple[tuple[str, int], ...]
) -> None:
    cleaned = clean(text)

    assert (cleaned.text, cleaned.removed) == (kept, removed)


@pytest.mark.parametrize(
    "text",
    [
        "Plain text.\n\tIndented, and\r\nbroken.",
        "Ångström, Å as one and A\u030a as two",
        "👩‍👩‍👧 and ❤️‍🔥 and 🏴󠁧󠁢󠁷󠁬󠁳󠁿 and 1️⃣",
        "می‌خواهم نامه‌ای",
        "क्‍ष और क्ष",
        "ភាសា​ខ្មែរ",
        "葛\U000e0100飾区、〆\ufe00 ☺︎ ⁉️ ™️ *️⃣",
        "ᠠ᠋ᠮ",
        "⠓⠊⠀⠽⠕⠥",
        "naïve – “quoted”, soft\u00adhyphen, non\u00a0breaking",
    ],
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert clean(text).text == text
    assert clean(text).removed == ()


def test_rarer_ends_of_lines_stay_ends_of_lines() -> None:
    assert clean("a\rb\x0bc\x0cd\x85e\r\nf").text == "a\nb\nc\nd\ne\r\nf"


def test_joiners_between_latin_letters_and_in_rows_are_taken_out() -> None:
    assert clean("ig\u200dnore").text == "ignore"
    assert clean("👩\u200d\u200d\u200d👧").text == "👩👧"


@each_of("unseen", UNSEEN_ONES)
def test_no_character_that_nobody_sees_stays_between_letters(unseen: str) -> None:
    assert clean(f"i{unseen}g{unseen * 3}nore {unseen} this{unseen}").text == "ignore  this"


HIDDEN = (
    "\u200b\u200c\u200d\u2060\ufeff\u202e\u2066\u200e\u061c\x00\x9f\ufe00\U000e0041\U0001f3f4"
    "\u00ad\u034f\u115f\u17b4\u180b\u2800\u2801\u3164\ufe0f\u20e3\U000e0100葛ᠠ1"
)


@given(st.text(st.one_of(st.sampled_from(HIDDEN), st.sampled_from("ab \n\r\tم👩é\u0301"), st.characters())))
def test_every_character_that_is_kept_is_found_again_in_the_original(text: str) -> None:
    cleaned = clean(text)

    assert len(cleaned.text) + sum(count for _, count in cleaned.removed) == len(text)
    for at, kept in enumerate(cleaned.text):
        start, end = cleaned.original(at, at + 1)
        assert end == start + 1
        assert text[start] == kept or (kept == "\n" and text[start] in "\r\x0b\x0c\x85")
    start, end = cleaned.original(0, len(cleaned.text))
    assert clean(text[start:end]).text == cleaned.text
    assert clean(cleaned.text) == Cleaned(cleaned.text)


@given(st.text())
def test_nothing_is_composed_or_taken_apart(text: str) -> None:
    kept = clean(text).text

    assert unicodedata.normalize("NFC", kept) == unicodedata.normalize("NFC", str(kept))
    assert set(kept) <= {*text, "\n"}
