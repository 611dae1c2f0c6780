"""Sentence BLEU is sacrebleu's number, for whatever text."""

import pytest
import sacrebleu
from hypothesis import example, given
from hypothesis import strategies as st

from sensecheck.core.errors import MissingInput
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.bleu import SentenceBleu, sentence_bleu
from sensecheck.measures.lexical.tokens import REMEMBERED_CHARS, mteval_tokens

TOKENIZER = sacrebleu.BLEU().tokenizer
ODD = (
    *("a", "b", "B", "é", "中", "٣", "5", "60", " ", "  ", "\n", "-\n", "\t", "\u00a0", "\u2028", "\x1c"),
    *(
        ".",
        ",",
        "..",
        ".,",
        "-",
        "--",
        "–",
        "'",
        "’",
        "_",
        "/",
        "\\",
        "&",
        ";",
        "<",
        ">",
        "%",
        "$",
        '"',
        "({[~]})",
    ),
    *("&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "<skipped>", "<skip", "ped>"),
)
"""What the rules of mteval-v13a look at, and what they might trip over."""
odd_texts = st.lists(st.sampled_from(ODD), max_size=14).map("".join)
texts = odd_texts | st.text(max_size=40)
few_words = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "."]), max_size=16).map(" ".join)


def theirs(answer: str, expected: str) -> float:
    return sacrebleu.sentence_bleu(answer, [expected]).score / 100


@given(texts)
@example("x..5")
@example("<skip-\nped>")
@example("-<skipped>\n")
@example("1,000.5-6 -7.5 3--4 5.-5")
@example("a-\n")
def test_a_text_is_divided_as_sacrebleu_divides_it(text: str) -> None:
    assert list(mteval_tokens(text)) == TOKENIZER(text.rstrip()).split()


@given(texts | few_words, texts | few_words)
def test_the_number_is_sacrebleus(answer: str, expected: str) -> None:
    assert sentence_bleu(answer, expected) == pytest.approx(theirs(answer, expected), abs=1e-9)


@given(few_words, few_words)
def test_runs_that_come_again_are_counted_as_often_as_in_both(answer: str, expected: str) -> None:
    assert sentence_bleu(answer, expected) == pytest.approx(theirs(answer, expected), abs=1e-9)


@pytest.mark.parametrize("times", [1, REMEMBERED_CHARS])
def test_a_long_text_reads_the_same_way(times: int) -> None:
    answer, expected = "the cat sat. " * times, "the dog sat on the mat. " * times

    assert sentence_bleu(answer, expected) == pytest.approx(theirs(answer, expected), abs=1e-9)


def test_the_same_answer_is_1_and_not_a_hair_more() -> None:
    reading = SentenceBleu().read(
        Sample("The cat sat on the mat.", expected="The cat sat on the mat."), Space()
    )

    assert reading.value == 1.0
    assert reading.because == "the sentence BLEU beside the expected answer is 1.000"


@pytest.mark.parametrize(
    ("answer", "expected", "where"),
    [
        ("", "The cat.", "in the answer"),
        (" \n", "The cat.", "in the answer"),
        ("The cat.", "", "in the expected answer"),
        ("", "", "in either text"),
    ],
)
def test_an_empty_text_reads_0_and_says_so(answer: str, expected: str, where: str) -> None:
    reading = SentenceBleu(expected).read(Sample(answer), Space())

    assert (reading.value, reading.because) == (
        0.0,
        f"there is nothing to compare {where}, which counts as 0",
    )


def test_words_that_nobody_shares_are_not_called_empty() -> None:
    reading = SentenceBleu("One.").read(Sample("Two!"), Space())

    assert (reading.value, reading.because) == (0.0, "the sentence BLEU beside the expected answer is 0.000")


def test_without_an_expected_answer_there_is_no_reading() -> None:
    with pytest.raises(MissingInput, match="`expected`"):
        SentenceBleu().read(Sample("The cat."), Space())
