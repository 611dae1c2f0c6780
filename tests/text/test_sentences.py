import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.text.sentences import sentences
from tests.corpus import each_row
from tests.pace import usual_seconds

MEGABYTE = 1_000_000


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@each_row
def test_a_text_falls_into_its_sentences(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


STRUCTURED = st.lists(st.sampled_from([*list("aB1.!? \n-|`\"')。…#"), "```", "Dr.", "e.g.", "1. "])).map(
    "".join
)


@given(st.one_of(st.text(), STRUCTURED))
def test_the_pieces_are_in_order_and_hold_everything_but_space(text: str) -> None:
    found = sentences(text)

    assert all(start < end for start, end in found)
    assert all(one[1] <= two[0] for one, two in pairwise(found))
    assert all(text[start:end] == text[start:end].strip() for start, end in found)
    kept = "".join(text[start:end] for start, end in found)
    assert "".join(kept.split()) == "".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "seconds"),
    [(".", 2), ("a.a.a", 2), (". ", 4), ("`a", 4), ('"', 2), ("\n", 4), ("a-", 2), ("!'", 4), ("```\n", 4)],
)
def test_a_megabyte_of_nonsense_takes_little_time(unit: str, seconds: int) -> None:
    text = unit * (MEGABYTE // len(unit))
    begun = time.thread_time()
    sentences(text)

    assert usual_seconds(begun) < seconds
