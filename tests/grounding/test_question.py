"""Words that readers take for the same."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.grounding.question import forms, forms_like

SAME = [
    ("colour", "color"),
    ("coloured", "colors"),
    ("favourite", "favorite"),
    ("behavioural", "behavioral"),
    ("harbours", "harbor"),
    ("organise", "organized"),
    ("organisation", "organizations"),
    ("analysing", "analyze"),
    ("centre", "center"),
    ("theatres", "theater"),
    ("metre", "meters"),
    ("zürich", "zurich"),
    ("5,000", "5000"),
    ("went", "goes"),
    ("bought", "buys"),
    ("children's", "child"),
]
OTHERS = [
    ("four", "for"),
    ("hour", "hor"),
    ("tour", "tor"),
    ("prise", "prize"),
    ("more", "moer"),
    ("1.5", "2.5"),
]
WORDS = sorted(
    {word for pair in (*SAME, *OTHERS) for word in pair} | {"über", "uber", "ﬁnd", "find", "男", "o'neil"}
)


def match(one: str, other: str) -> bool:
    """Whether they share a form."""
    return not set(forms(one)).isdisjoint(forms(other))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_forms_accents_and_both_spellings_meet(one: str, other: str) -> None:
    assert match(one, other)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_words_that_only_look_so_do_not(one: str, other: str) -> None:
    assert not match(one, other)


def test_no_word_that_could_match_is_passed_over() -> None:
    for one, other in product(WORDS, WORDS):
        assert set(forms(one)).isdisjoint(forms_like([one], [other])) is not match(one, other), (one, other)


@given(st.text(min_size=1, max_size=5).map(str.lower), st.text(min_size=1, max_size=5).map(str.lower))
def test_whatever_the_script_no_word_that_could_match_is_passed_over(one: str, other: str) -> None:
    for word in (other, one, f"{one}s", one.upper().lower()):
        assert set(forms(one)).isdisjoint(forms_like([one], [word])) is not match(one, word)
