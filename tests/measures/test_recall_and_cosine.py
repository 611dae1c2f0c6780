"""The expected answer's words and its meaning, weighed together."""

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.content import RecallAndCosine, combined

LONG = "Toyota officially opened for business in the United States on October 31, 1957."


def read(sample: Sample, encoder: Encoder, measure: RecallAndCosine | None = None) -> Reading:
    measure = measure or RecallAndCosine()
    return measure.read(sample, Space.of(measure.needs(sample).texts, encoder))


def test_it_is_the_weighted_mean_and_a_cosine_below_0_counts_as_0() -> None:
    assert combined(1.0, 1.0) == 1.0
    assert combined(0.5, 0.5) == pytest.approx(0.5)
    assert combined(0.0, -0.2) == 0.0
    assert combined(1.0, -0.2) > combined(0.0, 1.0)


def test_a_long_answer_that_holds_the_expected_words_reads_higher_than_one_that_does_not(
    minilm: Encoder,
) -> None:
    right, wrong = (read(Sample(LONG, expected=year), minilm) for year in ("1957", "1964"))

    assert right.value > 0.7 > 0.3 > wrong.value
    assert "holds 100% of the expected answer's words, and their cosine is 0." in right.because


def test_the_best_of_the_alternatives_counts(minilm: Encoder) -> None:
    sample = Sample(LONG, expected="1964 / 1957/1957")

    one, parted = (read(sample, minilm, RecallAndCosine(separator=sign)) for sign in (None, "/"))

    assert parted == read(Sample(LONG, expected="1957"), minilm)
    assert one.value < parted.value


@pytest.mark.parametrize(("answer", "expected"), [("", "1957"), (LONG, " "), (LONG, "/ /")])
def test_an_empty_text_reads_0_and_needs_no_encoder(answer: str, expected: str) -> None:
    measure, sample = RecallAndCosine(separator="/"), Sample(answer, expected=expected)

    assert measure.needs(sample) == Needs()
    assert measure.read(sample, Space()).value == 0.0
    assert "is empty, which counts as 0" in measure.read(sample, Space()).because


@pytest.mark.parametrize("separator", ["", " "])
def test_a_separator_is_a_sign(separator: str) -> None:
    with pytest.raises(SpecError, match="`separator` wants a sign such as `/`, or none"):
        RecallAndCosine(separator=separator)
