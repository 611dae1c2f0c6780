"""From labelled samples to a line that checks use, with the real model."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

import pytest

from sensecheck.calibration.card import Card
from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.target import Target
from sensecheck.checks.calibrate import LabelledSample, Leaks, read_each, recheck_card
from sensecheck.checks.presets import drift_threshold, means
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import CannotJudge, SpecError, StaleCutoff
from sensecheck.core.registry import measure_from_data
from sensecheck.core.sample import Sample
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.exemplars import ClusterMargin, NearestExemplar
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import Similarity
from sensecheck.sense import Sense
from tests.checks.opening_hours import FPR, card_of, labelled, outcome, without_expected
from tests.conftest import Counting

EXPECTED = "The aquarium opens at eleven in the morning."
NEAR = Sample("From eleven o'clock on, the aquarium is open.", expected=EXPECTED)
FAR = Sample("Parking near the aquarium costs eleven euros.", expected=EXPECTED)


@pytest.fixture(scope="module")
def card(minilm: Encoder) -> Card:
    """A line on similarity to the expected answer, fitted on opening hours."""
    return card_of(minilm)


@pytest.fixture(scope="module")
def library(card: Card, tmp_path_factory: pytest.TempPathFactory) -> CardLibrary:
    """The card where its user would keep it."""
    folder = tmp_path_factory.mktemp("cards")
    (folder / f"{card.name}.json").write_text(card.to_json(), encoding="utf-8")
    return CardLibrary((folder,))


def test_a_card_is_fitted_on_what_the_measure_reads(card: Card, minilm: Encoder) -> None:
    assert (card.measure, card.encoder) == ({"kind": "similarity"}, minilm.fingerprint)
    assert card.targets == (Target("false_accepts", 0.05, 0.95),)
    assert (card.fitted.bad, card.held_out.bad) == (67, 29)
    assert card.warnings == ()
    assert set(card.slices) == {"place"}


@pytest.mark.parametrize("line", ["opening-hours", {"fpr": 0.05}, {"fpr": 0.1, "confidence": 0.9}])
@pytest.mark.parametrize("as_gate", [True, False])
def test_a_check_takes_its_line_by_name_or_by_promise(
    sense: Sense, library: CardLibrary, card: Card, line: object, as_gate: bool
) -> None:
    gate = {"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": line}
    data = gate if as_gate else {"kind": "drift_threshold", "threshold": line}
    check = check_from_data(data, library=library)

    for sample, wanted in ((NEAR, "pass"), (FAR, "fail")):
        verdict = sense.judge(sample, check)
        assert verdict.outcome == wanted, verdict.explain()
        assert verdict.cutoff == card.cutoff()
    assert check_from_data(check_to_data(check), library=CardLibrary(())) == check


def test_a_card_itself_is_a_threshold(sense: Sense, card: Card) -> None:
    verdict = sense.judge(NEAR, means(card, policy="similarity"))

    assert verdict
    assert "fitted on opening_hours.jsonl#000000000000 (opening-hours)" in verdict.explain()


def test_a_sense_looks_for_names_in_its_own_library(minilm: Encoder, library: CardLibrary) -> None:
    sense = Sense(Backends(minilm), library)
    asked = {"kind": "means", "policy": "similarity"}

    assert sense.judge(NEAR, sense.check({**asked, "threshold": "opening-hours"}))
    with pytest.raises(
        SpecError, match=r"in `check.threshold`: `closing-hours` is not a known card; did you"
    ):
        sense.check({**asked, "threshold": "closing-hours"})


def test_a_line_for_another_encoder_judges_nothing(card: Card) -> None:
    verdict = Sense(Backends(HashingEncoder())).judge(NEAR, drift_threshold(threshold=card))

    assert verdict.outcome == "error"
    assert f"fitted for the encoder `{card.encoder}`; in use is `hashing:256:1`" in verdict.because


def test_rows_that_two_encoders_read_have_no_common_line(minilm: Encoder) -> None:
    rows = list(labelled())
    halves = (
        read_each(half, Similarity(), Backends(encoder))
        for half, encoder in ((rows[:2], minilm), (rows[2:4], HashingEncoder()))
    )
    card = card_of(HashingEncoder())

    with pytest.raises(
        SpecError, match=r"the rows were read with `minilm:.*` and `hashing:.*`; a cutoff holds"
    ):
        recheck_card(card, chain.from_iterable(halves))


def test_a_measure_that_reads_words_alone_has_a_line_for_every_encoder() -> None:
    rows = [
        replace(row, sample=replace(row.sample, passages=(row.sample.expected or "",))) for row in labelled()
    ]
    card = card_of(HashingEncoder(), rows=iter(rows), measure=KeywordOverlap())

    assert card.encoder is None


def test_too_few_labels_say_how_many_are_missing() -> None:
    found = outcome(HashingEncoder(), islice(labelled(), 40))

    assert isinstance(found, NotCertifiable)
    assert found.describe().startswith("Not certifiable: ")


def some_unread() -> Iterator[LabelledSample]:
    return (without_expected(row) if i % 50 == 7 else row for i, row in enumerate(labelled()))


def test_rows_that_cannot_be_read_are_an_error_that_counts_them() -> None:
    with pytest.raises(
        CannotJudge,
        match=r"4 of 192 rows could not be read \(the first because the sample has no `expected` answer to",
    ):
        outcome(HashingEncoder(), some_unread())


def test_rows_that_cannot_be_read_may_be_left_out_and_the_card_says_so() -> None:
    card = card_of(HashingEncoder(), rows=some_unread(), skip_unreadable=True)

    assert [warning.partition(" (")[0] for warning in card.warnings] == ["4 of 192 rows could not be read"]
    assert card.fitted.good + card.held_out.good + card.fitted.bad + card.held_out.bad == 188


def test_leaving_everything_out_is_no_way_to_a_line() -> None:
    with pytest.raises(CannotJudge, match="192 of 192 rows could not be read"):
        outcome(HashingEncoder(), map(without_expected, labelled()), skip_unreadable=True)


def test_a_row_without_a_label_is_not_left_out_in_silence() -> None:
    rows = (replace(row, good=None) if i == 5 else row for i, row in enumerate(labelled()))

    with pytest.raises(SpecError, match="1 of 192 rows have no label"):
        outcome(HashingEncoder(), rows)


def test_answers_that_the_measure_knows_by_heart_are_told_on_the_card() -> None:
    known = next(row.sample.answer for row in labelled() if not row.good)
    measure = NearestExemplar((f"  {known.upper()}\n", "something else"))
    card = card_of(HashingEncoder(), measure=measure, good="below")

    assert card.warnings[0].startswith("answers that stand in the measure itself: 1 of 192; ")


def test_a_fit_that_cannot_be_is_refused_before_anything_is_read() -> None:
    encoder = Counting()

    with pytest.raises(SpecError, match="a card's name must be of small letters"):
        outcome(encoder, name="Opening hours")
    with pytest.raises(SpecError, match="`confidence` is for the method `exact`"):
        outcome(encoder, method="conformal", targets=(replace(FPR, confidence=0.9),))
    assert encoder.asked == []


def test_rows_are_read_as_far_as_they_are_asked_for() -> None:
    encoder = Counting()
    read = read_each(labelled(), Similarity(), Backends(encoder), batch_size=4)
    first = list(islice(read, 3))

    assert [row for row, _ in first] == list(islice(labelled(), 3))
    assert all(verdict.outcome == "measured" for _, verdict in first)
    assert len(encoder.asked) <= 8


def test_a_card_is_held_against_new_rows(card: Card, minilm: Encoder) -> None:
    measure = measure_from_data(card.measure)
    found = recheck_card(card, read_each(labelled(), measure, Backends(minilm)))

    assert (found.card, found.outcome) == ("opening-hours", "holds")


def test_no_rows_at_all_say_nothing_of_a_card(card: Card) -> None:
    with pytest.raises(SpecError, match="there are no new readings"):
        recheck_card(card, [])


def test_rows_left_out_of_a_recheck_are_told(card: Card, minilm: Encoder) -> None:
    read = list(read_each(some_unread(), Similarity(), Backends(minilm)))

    with pytest.raises(CannotJudge, match="4 of 192 rows"):
        recheck_card(card, read)
    assert recheck_card(card, read, skip_unreadable=True).verdict.endswith("they were left out.")


def test_a_card_is_not_held_against_what_another_encoder_read(card: Card) -> None:
    with pytest.raises(StaleCutoff, match="in use is `hashing:256:1`"):
        recheck_card(card, read_each(labelled(), Similarity(), Backends(HashingEncoder())))


def test_the_same_rows_give_the_same_card_byte_for_byte(card: Card, minilm: Encoder) -> None:
    assert card_of(minilm, rows=iter(list(labelled()))).to_json() == card.to_json()


@pytest.mark.parametrize("grouped", [True, False])
def test_copies_of_one_sample_count_once(grouped: bool) -> None:
    once = [replace(row, group=None) for row in labelled()]
    copies = [
        replace(row, group=f"{i} {j}" if grouped else None, sample=replace(row.sample, id=f"{i} {j}"))
        for i, row in enumerate(once)
        for j in range(3)
    ]
    card = card_of(HashingEncoder(), rows=iter(copies))

    assert (card.fitted.bad, card.held_out.bad) == (67, 29)
    assert isinstance(outcome(HashingEncoder(), iter(copies[:120])), NotCertifiable)


def test_the_name_of_a_class_is_no_answer_that_the_measure_knows() -> None:
    leaks = Leaks(ClusterMargin({"all went well": ("Fine",), "fail": ("It broke down.",)}, "fail"))
    for answer in ("fail", "mean", "All went well", "fine", "it broke down."):
        leaks.see(answer)

    assert leaks.exemplars == 2
