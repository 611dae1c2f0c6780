"""An answer falls into claims, and nothing of it is lost."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpus import each_row
from tests.pace import usual_seconds

from sensecheck.measures.claims.claims import claims

MUCH = 200_000
MARKUP = re.compile(r"(?:[\s>|]|[-*+•–]\s|\[[ xX]\]\s|\(?(?:\d{1,3}|[A-Za-z])[.)]\s|#{1,6}\s)*")


def kinds(text: str) -> list[tuple[str, str]]:
    return [(claim.kind, claim.text) for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One holds. Two holds.", [("sentence", "One holds."), ("sentence", "Two holds.")]),
        ("- One. And more.\n* Two", [("item", "One. And more."), ("item", "Two")]),
        ("1. One\n2) Two", [("item", "One"), ("item", "Two")]),
        ("1 . one\n2 . two", [("item", "one"), ("item", "two")]),
        ("a) One\nb) Two", [("item", "One"), ("item", "Two")]),
        ("- [x] Done\n- [ ] Open", [("item", "Done"), ("item", "Open")]),
        ("1. One\n\nIt is so.\n\n2. Two", [("item", "One"), ("sentence", "It is so."), ("item", "Two")]),
        ("A. Smith wrote it.", [("sentence", "A. Smith wrote it.")]),
        ("42. That is how many.", [("sentence", "42. That is how many.")]),
        ("> He left. She stayed.", [("sentence", "He left."), ("sentence", "She stayed.")]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_sentences_and_items_are_claims_without_their_marks(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert kinds(text) == expected


def test_each_row_of_a_table_is_a_claim_and_its_head_is_not() -> None:
    table = "| City | People |\n|:--|--:|\n| Paris | 2 M |\n| Rome | 3 M |"

    assert kinds(table) == [
        ("heading", "City | People"),
        ("heading", ":--|--:"),
        ("row", "Paris | 2 M"),
        ("row", "Rome | 3 M"),
    ]


def test_a_table_may_lack_its_outer_bars() -> None:
    assert kinds("City | People\n--- | ---\nParis | 2 M\n\nAn a | b apart.") == [
        ("heading", "City | People"),
        ("heading", "--- | ---"),
        ("row", "Paris | 2 M"),
        ("sentence", "An a | b apart."),
    ]


@pytest.mark.parametrize(
    ("heading", "below"),
    [
        ("## Results", "It grew."),
        ("## Did it grow?", "It grew."),
        ("**Key facts:**", "It grew."),
        ("**Key facts**:", "It grew."),
        ("The reasons are:", "- heat"),
        ("The table shows the cities:", "| Paris | 2 |"),
        ("Run the command:", "```\nls\n```"),
    ],
)
def test_a_heading_is_no_claim(heading: str, below: str) -> None:
    first, *rest = claims(f"{heading}\n{below}")

    assert (first.kind, first.checked) == ("heading", False)
    assert first.text == heading.removeprefix("## ")
    assert all(claim.checked for claim in rest)


@pytest.mark.parametrize(
    "text",
    [
        "## Paris",
        "**Paris**",
        "**Paris**\n\nIt lies on the Seine.",
        "The capital is:",
        "The tower is 330 m tall and has:\n- stairs",
        "## The tower was built in 1999.\n\nMore below.",
        "**It closes at five.**\n\nMore below.",
        "The tower that stands in the middle of Paris was built by Eiffel himself, and has:\n- stairs",
        "It closes at five: be there.\n- or not",
    ],
)
def test_what_says_something_is_checked_although_it_looks_like_a_heading(text: str) -> None:
    assert claims(text)[0].checked


def test_a_bold_line_between_others_is_a_heading() -> None:
    assert [kind for kind, _ in kinds("It grew.\n\n**Causes**\n\nIt rained.")] == [
        "sentence",
        "heading",
        "sentence",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "```python\na = 1.\n\nb = 2\n```",
        "~~~\nx\n~~~",
        "`ls -la`",
        "    def f(x):\n        return x\n\n    f(3)",
    ],
)
def test_code_is_one_claim(code: str) -> None:
    assert kinds(f"It runs.\n\n{code}\n\nIt ran.") == [
        ("sentence", "It runs."),
        ("code", code.strip()),
        ("sentence", "It ran."),
    ]


def test_prose_that_is_indented_is_still_prose() -> None:
    assert kinds("    It rained. We left.\n\n    They stayed, all of them.")[0] == ("sentence", "It rained.")
    assert kinds("- One\n\n    It goes on (here).")[1] == ("sentence", "It goes on (here).")


@each_row
def test_talk_is_no_claim(kind: str, text: str) -> None:
    assert [(claim.kind, claim.checked) for claim in claims(text)] == [(kind, False)]


@pytest.mark.parametrize(
    "text",
    [
        "Sure, it closes at five.",
        "Of course Paris is in France.",
        "Here is the answer: Paris.",
        "Here is where Napoleon died.",
        "I hope this helps, as the tower is 330 m tall.",
        "Yes.",
        "No.",
        "Paris",
        "Thank you notes were sent in May.",
        "Certainly the tower is old.",
        "Unable to answer based on given passages.",
    ],
)
def test_a_sentence_that_says_something_is_no_talk(text: str) -> None:
    assert all(claim.checked for claim in claims(text))


def test_a_long_sentence_is_split_at_its_semicolons_only() -> None:
    clause = "the first of the many, many rivers of the north runs slowly to the sea"
    long = "; ".join([clause] * 5) + "."

    assert [claim.text for claim in claims(long)] == [f"{clause};"] * 4 + [f"{clause}."]
    assert len(claims(f"{clause}; {clause}.")) == 1
    assert len(claims(long.replace(";", ","))) == 1


def test_a_long_item_falls_into_its_sentences() -> None:
    sentence = "The first of the many rivers of the north runs slowly to the sea."

    assert [claim.kind for claim in claims("- " + " ".join([sentence] * 3))] == ["item"]
    assert [claim.kind for claim in claims("- " + " ".join([sentence] * 6))] == ["item"] * 6


PIECES = [
    *"aB1.!?; \n\t-|`\"')。…#*:>_😀é",
    *("```", "Dr.", "1. ", "2. ", "- ", "b) ", "| ", "|--|--|\n", "\n\n", "    ", "**", "## ", "x = 1\n"),
    *("Sure! ", "Here are:\n", "> ", "[x] ", "word " * 61, "\r\n", "\x85", "\u2028"),
]
STRUCTURED = st.lists(st.sampled_from(PIECES)).map("".join)


@given(st.one_of(st.text(), STRUCTURED))
def test_every_character_is_in_one_claim_or_is_markup(text: str) -> None:
    found = claims(text)

    assert all(text[claim.start : claim.end] == claim.text for claim in found)
    assert all(claim.text and claim.text == claim.text.strip() for claim in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    edges = [0, *(edge for claim in found for edge in (claim.start, claim.end)), len(text)]
    between = [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    assert all(MARKUP.fullmatch(gap) for gap in between), between


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [".", "a; ", ". ", "- a\n", "| a |\n", "    a\n\n", "1. ", "`a", "**", "> ", "a:\n", "# ", "x " * 62],
)
def test_much_nonsense_takes_little_time(unit: str) -> None:
    text = unit * (MUCH // len(unit))
    begun = time.thread_time()
    claims(text)

    assert usual_seconds(begun) < 4
