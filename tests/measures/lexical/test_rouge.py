"""ROUGE-L is the number of the package `rouge_score`, for whatever text."""

import sys
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sensecheck.core.errors import MissingExtra, SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.rouge import SHARES, RougeL, _longest_row, rouge_l
from sensecheck.measures.lexical.tokens import REMEMBERED_CHARS

few_words = st.lists(st.sampled_from(["the", "Cat", "sat", "a", "mat.", "K", "İ", "é", "5"]), max_size=16)
texts = few_words.map(" ".join) | st.text(max_size=40)


@cache
def scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer  # brings scikit-learn and NLTK

    return RougeScorer(["rougeL"], use_stemmer=False)


def theirs(answer: str, expected: str) -> tuple[float, float, float]:
    score: Any = scorer().score(expected, answer)["rougeL"]
    return score.precision, score.recall, score.fmeasure


@given(texts, texts)
@example("\u212a \u0130\udc80 x", "k i x")
def test_all_three_shares_are_those_of_rouge_score(answer: str, expected: str) -> None:
    assert rouge_l(answer, expected) == pytest.approx(theirs(answer, expected), abs=1e-9)


def test_a_long_text_reads_the_same_way() -> None:
    answer, expected = "the cat sat on a mat " * (REMEMBERED_CHARS // 20), "a mat the dog sat on"

    assert rouge_l(answer, expected) == pytest.approx(theirs(answer, expected), abs=1e-9)


@pytest.mark.parametrize(("of", "value"), [("precision", 1.0), ("recall", 0.75), ("f1", 6 / 7)])
def test_each_share_can_be_asked_for(of: Any, value: float) -> None:
    reading = RougeL(of=of).read(Sample("The cat sat", expected="The cat that sat."), Space())

    assert reading.value == pytest.approx(value)
    assert reading.because == f"the ROUGE-L {of} beside the expected answer is {value:.3f}"


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _longest_row.cache_clear()
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance.LCSseq", None)

    with pytest.raises(MissingExtra, match=r"pip install 'sensecheck\[lexical\]'"):
        RougeL("never seen before").read(Sample("nor this"), Space())


def test_a_share_that_is_not_known_is_an_error() -> None:
    with pytest.raises(SpecError, match="`f2` is not a known share of ROUGE-L; did you mean `f1`"):
        RougeL(of="f2")  # type: ignore[arg-type]


@pytest.mark.parametrize("of", SHARES)
@pytest.mark.parametrize(
    ("answer", "expected", "where"),
    [
        ("", "A cat.", "in the answer"),
        ("A cat.", "", "in the expected answer"),
        ("…", "猫", "in either text"),
    ],
)
def test_a_text_without_words_reads_0_and_says_so(of: Any, answer: str, expected: str, where: str) -> None:
    reading = RougeL(expected, of).read(Sample(answer), Space())

    assert (reading.value, reading.because) == (
        0.0,
        f"there is nothing to compare {where}, which counts as 0",
    )
