"""Exact match, F1 and recall count as the question sets of SQuAD do."""

import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.squad import GoldRecall, SquadExactMatch, SquadF1, squad_f1, squad_words
from sensecheck.measures.lexical.tokens import REMEMBERED_CHARS

few_words = st.lists(
    st.sampled_from(["the", "An", "Cat,", "cat", "l'a", "the-cat", "–a–", "5", " "]), max_size=9
)
texts = few_words.map(" ".join) | st.text(max_size=30)


def normalised(text: str) -> str:
    """The four steps, each on its own, as they are published."""
    small = text.lower()
    bare = "".join(char for char in small if char not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def defined_f1(answer: str, expected: str) -> float:
    mine, theirs = normalised(answer).split(), normalised(expected).split()
    both = sum((Counter(mine) & Counter(theirs)).values())
    if not mine or not theirs:
        return float(mine == theirs)
    if not both:
        return 0.0
    precision, recall = both / len(mine), both / len(theirs)
    return 2 * precision * recall / (precision + recall)


def read(measure: SquadExactMatch | SquadF1 | GoldRecall, answer: str, expected: str) -> float:
    return measure.read(Sample(answer, expected=expected), Space()).value


@given(texts, texts)
def test_words_match_and_f1_are_as_published(answer: str, expected: str) -> None:
    assert " ".join(squad_words(answer)) == normalised(answer)
    assert squad_f1(answer, expected) == pytest.approx(defined_f1(answer, expected), abs=1e-9)
    assert read(SquadF1(), answer, expected) == squad_f1(answer, expected)
    assert read(SquadExactMatch(), answer, expected) == (normalised(answer) == normalised(expected))


def test_case_signs_articles_and_spaces_do_not_count() -> None:
    assert read(SquadExactMatch(), "  The U.S.\n Senate ", "u.s senate!") == 1
    assert read(SquadExactMatch(), "the Senate", "the House") == 0


def test_a_long_answer_that_holds_the_short_one_is_recalled() -> None:
    answer = "The prize was awarded in 1901 to Wilhelm Röntgen. " * (REMEMBERED_CHARS // 40)
    reading = GoldRecall("Wilhelm Conrad Röntgen").read(Sample(answer), Space())

    assert reading.value == pytest.approx(2 / 3)
    assert reading.because == "the answer holds 2 of the expected answer's 3 words"


def test_a_word_that_is_expected_twice_is_looked_for_twice() -> None:
    assert read(GoldRecall(), "Duran", "Duran Duran") == 0.5
    assert read(GoldRecall(), "Duran Duran Duran", "Duran Duran") == 1


@pytest.mark.parametrize("measure", [SquadExactMatch(), SquadF1()])
@pytest.mark.parametrize("pair", [("", ""), ("the", " "), ("?", "A")])
def test_two_texts_without_words_are_the_same(
    measure: SquadExactMatch | SquadF1, pair: tuple[str, str]
) -> None:
    reading = measure.read(Sample(pair[0], expected=pair[1]), Space())

    assert (reading.value, reading.because) == (1.0, "the answer is the expected one: neither holds a word")


@pytest.mark.parametrize("measure", [SquadExactMatch("cat"), SquadF1("cat"), GoldRecall("cat")])
def test_an_empty_answer_reads_0_and_says_so(measure: SquadExactMatch | SquadF1 | GoldRecall) -> None:
    reading = measure.read(Sample(""), Space())

    assert (reading.value, reading.because) == (
        0.0,
        "there is nothing to compare in the answer, which counts as 0",
    )


def test_nothing_is_recalled_of_an_empty_text() -> None:
    reading = GoldRecall("").read(Sample(""), Space())

    assert (reading.value, reading.because) == (
        0.0,
        "there is nothing to compare in either text, which counts as 0",
    )
