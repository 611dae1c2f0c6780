import pytest

from sensecheck.core.errors import CannotJudge, MissingInput
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.facts.agreement import FactAgreement

MOON = "Neil Armstrong walked on the moon on July 20, 1969."


def read(measure: FactAgreement, sample: Sample) -> Reading:
    assert measure.needs(sample) == Needs()
    return measure.read(sample, Space())


def test_an_answer_with_the_same_facts_reads_one() -> None:
    reading = read(FactAgreement(), Sample.of("On 20 July 1969 Armstrong walked there.", expected=MOON))

    assert reading.value == 1.0
    assert reading.evidence == ()
    assert reading.because == "nothing differs in 2 facts"


def test_a_changed_year_is_shown_on_both_sides() -> None:
    answer = "Neil Armstrong walked on the moon in 1963."
    reading = read(FactAgreement(), Sample.of(answer, expected="Neil Armstrong walked on the moon in 1969."))
    (found,) = reading.evidence

    assert reading.value == 0.5
    assert reading.because == "1 of 2 facts differs: `1963` is not there; it says `1969`"
    assert found.kind == "date"
    assert found.answer is not None
    assert found.source is not None
    assert answer[found.answer.start : found.answer.end] == found.answer.text == "1963"
    assert (found.source.where, found.source.text) == ("expected", "1969")


def test_several_differences_are_counted_in_the_reason() -> None:
    reading = read(
        FactAgreement(), Sample.of("Ada paid 5 euros in 1963.", expected="Ada paid 7 euros in 1969.")
    )

    assert reading.because == "2 of 3 facts differ: `5 euros` is not there; it says `7 euros`; and 1 more"
    assert reading.value == pytest.approx(1 / 3)


def test_without_facts_there_is_nothing_to_compare() -> None:
    reading = read(FactAgreement(), Sample.of("yes, it works", expected="it works"))

    assert (reading.value, reading.because) == (1.0, "there were no facts to compare")


def test_evidence_names_the_passage() -> None:
    passages = ("The bridge is long.", "The bridge opened in 1932.")
    reading = read(
        FactAgreement(against="passages"), Sample.of("The bridge opened in 1942.", passages=passages)
    )
    source = reading.evidence[0].source

    assert source is not None
    assert source.where == "passages[1]"
    assert passages[1][source.start : source.end] == source.text == "1932"


def test_a_given_text_is_used_instead_of_the_sample_own() -> None:
    reading = read(FactAgreement(reference="It is 5 km."), Sample.of("It is 6 km."))

    assert reading.value == 0.0
    assert reading.evidence[0].source is not None
    assert reading.evidence[0].source.where == "reference"


def test_what_counts_can_be_chosen() -> None:
    sample = Sample.of("The bridge opened. It was painted by Rossi.", expected="The bridge opened in 1932.")

    assert read(FactAgreement(), sample).value < 1.0
    assert read(FactAgreement(count=("changed",)), sample).value == 1.0
    kinds = [found.kind for found in read(FactAgreement(count=("missing",)), sample).evidence]
    assert kinds == ["date"]


def test_a_sample_without_a_reference_cannot_be_read() -> None:
    with pytest.raises(MissingInput, match="expected"):
        read(FactAgreement(), Sample.of("5"))
    with pytest.raises(MissingInput, match="passages"):
        read(FactAgreement(against="passages"), Sample.of("5"))


@pytest.mark.parametrize("answer", ["", " \n", "…", "🙂"])
def test_an_answer_that_says_nothing_agrees_with_nothing(answer: str) -> None:
    with pytest.raises(CannotJudge, match="no letter and no digit"):
        read(FactAgreement(), Sample.of(answer, expected=MOON))


def test_a_sign_may_be_all_that_was_expected() -> None:
    assert read(FactAgreement(), Sample.of("🙂", expected="🙂")).value == 1.0
