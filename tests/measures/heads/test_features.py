"""What a head looks at: sentences at either end of an answer, and cues in them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import usual_seconds

from sensecheck.core.errors import SpecError, Unreadable
from sensecheck.core.reading import Span
from sensecheck.measures.heads.features import LOOKED_AT, Cue, Outline, SentencePart

MEGABYTE = 1_000_000
NAMES = ("first", "second", "third", "last")
STRUCTURED = st.lists(st.sampled_from([*list("aB1.!? \n-|`\"')。…#"), "```", "Dr.", "I cannot. "])).map(
    "".join
)
LONG = st.tuples(STRUCTURED, st.integers(0, 60), STRUCTURED).map(lambda s: s[0] + "a. b " * 20 * s[1] + s[2])
PATTERNS = (r"\bi\b", r"a.*b", r"\A", r"\Z", "(?s:.{20})", "[.!?]+")


def outline_of(answer: str) -> Outline | None:
    """The outline, where there is anything to read."""
    if any(map(str.isalnum, answer.lstrip()[:LOOKED_AT])):
        return Outline.of(answer)
    with pytest.raises(Unreadable):
        Outline.of(answer)
    return None


def parts(answer: str, words: int = 16) -> list[str]:
    outline = Outline.of(answer)
    return [outline.part(SentencePart(name, words)).text for name in NAMES]  # type: ignore[arg-type]  # all four


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("One. Two. Three. Four. Five.", ["One.", "Two.", "Three.", "Five."]),
        ("One. Two.", ["One.", "Two.", "Two.", "Two."]),
        ("No", ["No"] * 4),
        (" \n\n No", ["No"] * 4),
        ("***\n\nYes. No.", ["Yes.", "No.", "No.", "No."]),
        ("```python\nprint(1)\n```", ["```python\nprint(1)\n```"] * 4),
        ("我不能。对不起。", ["我不能。", "对不起。", "对不起。", "对不起。"]),
    ],
)
def test_a_sentence_that_is_not_there_is_the_one_before_it(answer: str, wanted: list[str]) -> None:
    assert parts(answer) == wanted


def test_so_many_words_of_a_sentence_are_read() -> None:
    assert parts("I  really\ncannot do that. It is late.", 2) == ["I  really", "It is", "It is", "It is"]
    assert parts("Short.", 99)[0] == "Short."


@pytest.mark.parametrize("answer", ["", " \n", "?!", "...", "🎉", "- \n- \n", "\ud800", "?" * 5000 + " No."])
def test_an_answer_that_says_nothing_at_its_beginning_cannot_be_read(answer: str) -> None:
    with pytest.raises(Unreadable, match="there is no letter or digit in the first 4000 characters"):
        Outline.of(answer)


@given(st.one_of(st.text(), STRUCTURED, LONG), st.integers(1, 40))
def test_a_part_lies_inside_the_answer_and_says_where(answer: str, words: int) -> None:
    outline = outline_of(answer)

    for name in NAMES if outline else ():
        found = outline.part(SentencePart(name, words))  # type: ignore[arg-type, union-attr]  # one of the four
        assert 0 <= found.start <= found.end <= len(answer)
        assert found == Span.of("answer", answer, found.start, found.end)
        assert len(found.text) <= LOOKED_AT
        assert len(found.text.split()) <= words


@given(st.one_of(st.text(), STRUCTURED, LONG), st.sampled_from(PATTERNS))
def test_a_cue_is_found_where_it_says(answer: str, pattern: str) -> None:
    outline = outline_of(f"I say: {answer}")
    assert outline is not None

    for where in ("opening", "rest", "last", "answer"):
        found = Cue("x", where, pattern).span(f"I say: {answer}", outline)
        assert found is None or found == Span.of("answer", f"I say: {answer}", found.start, found.end)


def test_each_stretch_is_looked_at_by_itself() -> None:
    answer = "I am sorry. It is late. You can go. Goodbye now."
    outline = Outline.of(answer)
    found = {
        (where, pattern): Cue("x", where, pattern).span(answer, outline) is not None
        for where in ("opening", "rest", "last", "answer")
        for pattern in ("SORRY", r"\byou can\b", "goodbye")
    }

    assert [key for key, is_there in found.items() if is_there] == [
        ("opening", "SORRY"),
        ("rest", r"\byou can\b"),
        ("rest", "goodbye"),
        ("last", "goodbye"),
        ("answer", "SORRY"),
        ("answer", r"\byou can\b"),
        ("answer", "goodbye"),
    ]


def test_the_end_of_a_long_answer_is_read_and_its_middle_is_not() -> None:
    answer = "I start here. " + "Filler goes on. " * 5000 + "I end there."
    outline = Outline.of(answer)

    assert parts(answer)[3] == "I end there."
    assert Cue("x", "last", "end there").span(answer, outline) is not None
    assert Cue("x", "answer", "end there").span(answer, outline) is None


@pytest.mark.parametrize("unit", [".", "a", "a ", "Well, no. ", " ", "\n", "```\n", '"', ". ", "a-", "不。"])
def test_a_megabyte_of_anything_takes_little_time(unit: str) -> None:
    answer = unit * (MEGABYTE // len(unit))
    begun = time.thread_time()
    outline = outline_of(answer)
    if outline:
        for name in NAMES:
            assert len(outline.part(SentencePart(name, 16)).text) <= LOOKED_AT  # type: ignore[arg-type]  # all four
        Cue("x", "answer", r"\b(?:i|we) (?:\w+ ){0,6}cannot\b").span(answer, outline)

    assert usual_seconds(begun) < 1


@pytest.mark.parametrize("words", [0, -1, 10**12])
def test_a_part_wants_some_words(words: int) -> None:
    with pytest.raises(SpecError, match="`words` of the part `first` must be from 1 to"):
        SentencePart("first", words)


def test_what_is_no_pattern_is_refused() -> None:
    with pytest.raises(SpecError, match="the cue `sorry` is no pattern: missing \\)"):
        Cue("sorry", "opening", "(sorry")
