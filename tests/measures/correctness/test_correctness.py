"""Whether an answer gives the expected one: the measure with its shipped model and the real encoder."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.measures.correctness.cases import CASES, MISSED, Case

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput, SpecError, StaleCutoff, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.correctness.correctness import Correctness, CorrectnessModel, shipped_model
from sensecheck.measures.correctness.features import AGAINST, FEATURES, unknowing

YEAR = "Toyota opened for business in the United States in 1957."


def read(sample: Sample, encoder: Encoder, measure: Correctness | None = None) -> Reading:
    measure = measure or Correctness()
    return measure.read(sample, Space.of(measure.needs(sample).texts, encoder))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.about)
def test_it_says_what_people_would_say(case: Case, minilm: Encoder) -> None:
    found = read(Sample(case.answer, question=case.question, expected=case.expected), minilm)

    assert (found.value > 0.5) == case.correct, found.because


@pytest.mark.xfail(reason="initials of a name that opens its text are not known")
@pytest.mark.parametrize("case", MISSED, ids=lambda case: case.about)
def test_what_it_misses_is_known(case: Case, minilm: Encoder) -> None:
    test_it_says_what_people_would_say(case, minilm)


def test_a_right_answer_reads_higher_than_a_wrong_one_however_long(minilm: Encoder) -> None:
    by_about = {
        case.about: read(Sample(case.answer, question=case.question, expected=case.expected), minilm).value
        for case in CASES
    }

    assert by_about["verbose"] > by_about["verbose and wrong"] + 0.2
    assert by_about["paraphrase"] > max(by_about["negated"], by_about["changed number"], by_about["opposite"])


def test_it_says_which_words_are_missing_and_which_fact_differs(minilm: Encoder) -> None:
    missing = read(Sample("It was the emperor.", question="who won", expected="Napoleon Bonaparte"), minilm)
    differs = read(Sample("It opened in 1964.", expected="It opened in 1957."), minilm)
    unknown = read(Sample("I don't know who won.", question="who won", expected="Napoleon"), minilm)

    assert "the answer does not say `Napoleon Bonaparte`" in missing.because
    assert "the answer says `1964`; expected is `1957`" in differs.because
    assert unknown.because.startswith("the answer says `I don't know`")
    assert "abstention" in {each.kind for each in unknown.evidence}
    assert {"missing_term", "nearest"} <= {each.kind for each in missing.evidence}


def test_evidence_points_to_where_it_stands(minilm: Encoder) -> None:
    sample = Sample("It opened in 1964.", expected="It opened in 1957.")

    for each in read(sample, minilm).evidence:
        for span, text in ((each.answer, sample.answer), (each.source, sample.expected or "")):
            assert span is None or text[span.start : span.end] == span.text


def test_the_best_of_the_alternatives_counts(minilm: Encoder) -> None:
    sample = Sample(YEAR, expected="1964/1957")

    assert read(sample, minilm, Correctness(separator="/")) == read(Sample(YEAR, expected="1957"), minilm)


def test_it_asks_for_whole_texts_which_are_remembered_from_run_to_run() -> None:
    measure = Correctness(separator="/")

    assert measure.needs(Sample(YEAR, expected="1964/1957")) == Needs(texts=(YEAR, "1964", "1957"))


def test_the_question_tells_which_words_are_news(minilm: Encoder) -> None:
    question, expected = "which river does the dam cross", "the Ravi River"
    wrong = Sample("It crosses the river Sutlej.", expected=expected)

    assert read(replace(wrong, question=question), minilm).value < read(wrong, minilm).value


@pytest.mark.parametrize(("answer", "expected"), [("", "1957"), ("\n", "1957"), (YEAR, ""), (YEAR, " / ")])
def test_an_empty_text_reads_0_and_needs_no_encoder(answer: str, expected: str) -> None:
    measure, sample = Correctness(separator="/"), Sample(answer, expected=expected)

    assert measure.needs(sample) == Needs()
    assert measure.read(sample, Space()).value == 0.0
    assert "is empty, which counts as 0" in measure.read(sample, Space()).because


@pytest.mark.parametrize("answer", ["…", "?!", "1957", "£", "a " * 3000])
def test_odd_answers_lie_between_0_and_1(answer: str, minilm: Encoder) -> None:
    assert 0 <= read(Sample(answer, expected="£ 5"), minilm).value <= 1


def test_what_the_encoder_cannot_read_is_an_error_and_no_number(minilm: Encoder) -> None:
    with pytest.raises(Unreadable, match="cannot read this text"):
        read(Sample("🦄🦄🦄🦄", expected="a unicorn"), minilm)


def test_without_an_expected_answer_nothing_can_be_read() -> None:
    with pytest.raises(MissingInput, match="no `expected` answer"):
        Correctness().needs(Sample(YEAR))


def test_with_another_encoder_it_is_an_error_and_no_number() -> None:
    with pytest.raises(StaleCutoff, match="was trained for the encoder"):
        read(Sample(YEAR, expected="1957"), HashingEncoder())


def test_every_weight_has_the_sign_of_its_feature() -> None:
    model = shipped_model()

    assert tuple(model.weights) == FEATURES
    with pytest.raises(SpecError, match="is not monotone"):
        replace(model, weights={**model.weights, "held": -1.0})
    with pytest.raises(SpecError, match="is not monotone"):
        replace(model, weights={**model.weights, AGAINST[0]: 1.0})
    with pytest.raises(SpecError, match="is not finite"):
        replace(model, bias=float("nan"))
    with pytest.raises(SpecError, match="wanted"):
        replace(model, weights={"held": 1.0})


def test_a_model_comes_back_from_its_file_and_one_changed_by_hand_does_not(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(shipped_model().to_json())
    model = CorrectnessModel.from_data(str(path))

    assert CorrectnessModel.from_data(model.to_data()) == model
    path.write_text(json.dumps(json.loads(path.read_text()) | {"bias": 9.0}))
    with pytest.raises(SpecError, match="was changed by hand"):
        CorrectnessModel.from_data(str(path))
    with pytest.raises(SpecError, match="cannot be read"):
        CorrectnessModel.from_data(str(tmp_path / "none.json"))
    with pytest.raises(SpecError, match="has the digest"):
        CorrectnessModel.from_data("answers#0000000000000000")


@pytest.mark.parametrize(
    "said",
    [
        "I do not know who won.",
        "As an AI, I don't have access to it.",
        "I'm not sure.",
        "No idea.",
        "Unknown.",
    ],
)
def test_not_knowing_is_noticed(said: str) -> None:
    assert unknowing(said) is not None


@pytest.mark.parametrize("said", ["He did not know the answer.", "It is the Unknown Soldier.", "No 10."])
def test_what_others_do_not_know_is_no_abstention(said: str) -> None:
    assert unknowing(said) is None
