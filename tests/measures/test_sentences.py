import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import usual_seconds

from sensecheck.measures.text.sentences import sentences

MEGABYTE = 1_000_000


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("the cat sat. the dog ran.", ["the cat sat.", "the dog ran."]),
        ("Really?! Yes!", ["Really?!", "Yes!"]),
        ("Dr. Smith met J. K. Rowling. They spoke.", ["Dr. Smith met J. K. Rowling.", "They spoke."]),
        ("The U.S. Army left. It did.", ["The U.S. Army left.", "It did."]),
        ("He lives in the U.S. The end.", ["He lives in the U.S.", "The end."]),
        ("See e.g. this, i.e. that. Good.", ["See e.g. this, i.e. that.", "Good."]),
        ("No. 5 is alive. No. It died.", ["No. 5 is alive.", "No.", "It died."]),
        ("It is 3.14 long. Or 2.", ["It is 3.14 long.", "Or 2."]),
        ("Well... maybe. Wait... What?", ["Well... maybe.", "Wait...", "What?"]),
        ('"Stop." He ran. "Why?" she asked.', ['"Stop."', "He ran.", '"Why?" she asked.']),
        ("(It rained.) We left.", ["(It rained.)", "We left."]),
        ("1. Mix it. Then bake.\n2. Eat", ["1. Mix it.", "Then bake.", "2. Eat"]),
        ("Items:\n- one\n- two", ["Items:", "- one", "- two"]),
        ("| a | b |\n| 1. | 2 |", ["| a | b |", "| 1. | 2 |"]),
        ("# Title\nText here", ["# Title", "Text here"]),
        ("A line that\ngoes on.\n\nAnother", ["A line that\ngoes on.", "Another"]),
        ("Run:\n```\na. b\n\nc. d\n```\nDone.", ["Run:", "```\na. b\n\nc. d\n```", "Done."]),
        ("Use `x. y` here. Ok.", ["Use `x. y` here.", "Ok."]),
        (
            "See https://a.b/c?d=e.f now. Open main.py. Go.",
            ["See https://a.b/c?d=e.f now.", "Open main.py.", "Go."],
        ),
        ("これは本です。それは？はい！", ["これは本です。", "それは？", "はい！"]),
        ("यह है। वह है।", ["यह है।", "वह है।"]),
        ("ما هذا؟ نعم", ["ما هذا؟", "نعم"]),
        ("", []),
        (" \n ", []),
    ],
)
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


@pytest.mark.parametrize(
    ("unit", "seconds"),
    [(".", 2), ("a.a.a", 2), (". ", 4), ("`a", 4), ('"', 2), ("\n", 4), ("a-", 2), ("!'", 4), ("```\n", 4)],
)
def test_a_megabyte_of_nonsense_takes_little_time(unit: str, seconds: int) -> None:
    text = unit * (MEGABYTE // len(unit))
    begun = time.thread_time()
    sentences(text)

    assert usual_seconds(begun) < seconds
