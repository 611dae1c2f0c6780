import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.text.words import content_words, is_stop_word, stem, stop_words, words
from tests.pace import usual_seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("factorial(n)", ["factorial", "n"]),
        ("snake_case", ["snake", "case"]),
        ("Don’t stop", ["don't", "stop"]),
        ("a well-known fact", ["a", "well-known", "fact"]),
        ("1,000.5 km", ["1,000.5", "km"]),
        ("Café naïve", ["café", "naïve"]),
        ("日本", ["日", "本"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("... !", []),
    ],
)
def test_words_are_lowercase_and_whole(text: str, expected: list[str]) -> None:
    assert [word.text for word in words(text)] == expected


@given(st.text())
def test_every_word_stands_where_it_says(text: str) -> None:
    for word in words(text):
        assert (
            text[word.start : word.end].lower().translate({0x2019: "'", 0x2010: "-", 0x2011: "-"})
            == word.text
        )


def test_stop_words_carry_no_content() -> None:
    assert [word.text for word in content_words("They're what the cat should've eaten")] == ["cat", "eaten"]
    assert len(stop_words()) == 179
    assert {"don't", "should've", "the", "not", "ourselves"} <= stop_words()
    assert is_stop_word("they're")
    assert not is_stop_word("cat's")


@pytest.mark.parametrize(
    "forms",
    [
        ["city", "cities"],
        ["make", "makes", "making", "made"],
        ["quick", "quickly"],
        ["run", "runs", "running", "ran"],
        ["travel", "traveled", "travelling"],
        ["happy", "happily"],
        ["box", "boxes"],
        ["class", "classes"],
        ["use", "uses", "using", "used"],
        ["add", "adds", "adding", "added"],
        ["woman", "women", "woman's"],
        ["study", "studies", "studied", "studying"],
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: list[str]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("bus", "bu"), ("string", "str"), ("speed", "spe"), ("king", "k"), ("analysis", "analysi")],
)
def test_endings_that_belong_to_the_word_stay(one: str, other: str) -> None:
    assert stem(one) != other


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a-", "1,", "a'", "日", "_"])
def test_a_megabyte_of_nonsense_takes_little_time(unit: str) -> None:
    begun = time.thread_time()
    words(unit * 500_000)

    assert usual_seconds(begun) < 4
