"""Facts of an answer beside those of its references: what agrees, what differs, and how it is told."""

import time

import pytest
from benchmarks.quality.everyday import DATA
from benchmarks.quality.lowercased import tokenised
from hypothesis import given, settings
from hypothesis import strategies as st
from models.heads.public import rows_of
from tests.corpus import each_row
from tests.examples import examples
from tests.pace import usual_seconds

from sensecheck.core.errors import CannotJudge, MissingInput
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.facts.agreement import FactAgreement, compare, differences
from sensecheck.measures.facts.dates import agree
from sensecheck.measures.facts.fact import Difference, Moment

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
    assert reading.because == "1 of 2 facts differs: `1963` instead of `1969`"
    assert found.kind == "date"
    assert found.answer is not None
    assert found.source is not None
    assert answer[found.answer.start : found.answer.end] == found.answer.text == "1963"
    assert (found.source.where, found.source.text) == ("expected", "1969")


def test_several_differences_are_counted_in_the_reason() -> None:
    reading = read(
        FactAgreement(), Sample.of("Ada paid 5 euros in 1963.", expected="Ada paid 7 euros in 1969.")
    )

    assert reading.because == "2 of 3 facts differ: `5 euros` instead of `7 euros`; and 1 more"
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


@pytest.mark.parametrize(
    ("answer", "expected", "because"),
    [
        ("It ended in 1919. The rest of the page has details.", "1918", "`1919` instead of `1918`"),
        ("This is in the handbook. It boils at 100 °F.", "100 °C", "`100 °F` instead of `100 °C`"),
        ("It opened in 1932. It was closed in 1950.", "1932", "nothing differs"),
        ("You have a fortnight. We answer within 24 hours.", "14 days", "nothing differs"),
    ],
)
def test_a_fact_that_one_of_several_sentences_says_otherwise_is_changed(
    answer: str, expected: str, because: str
) -> None:
    sample = Sample.of(answer, expected=expected)
    reading = FactAgreement(count=("changed",)).read(sample, Space())

    assert because in reading.because


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


def telling(answer: str, *references: str) -> list[Difference]:
    return [found for found in differences(answer, references) if found.change != "missing"]


@each_row
def test_the_same_fact_in_other_words_agrees(answer: str, reference: str) -> None:
    assert telling(answer, reference) == []


@each_row
def test_another_fact_in_the_same_place_is_a_change(kind: str, answer: str, reference: str) -> None:
    found = telling(answer, reference)

    assert (kind, "changed") in {(one.kind, one.change) for one in found}


@each_row
def test_what_means_the_same_does_not_fire(kind: str, answer: str, reference: str) -> None:
    assert telling(answer, reference) == [], kind


@each_row
def test_what_means_something_else_fires(kind: str, answer: str, reference: str) -> None:
    assert telling(answer, reference) != [], kind


def test_what_the_question_says_is_not_added_by_an_answer_that_repeats_it() -> None:
    answer, question = "The Danube is 2,850 km long, and Linz lies on it.", "Does Linz lie on the Danube?"

    def added(asked: str | None) -> list[str]:
        found = compare(answer, ["Yes, and it is 2,850 km long."], asked).differences
        return [answer[slice(*one.answer)] for one in found if one.change == "added" and one.answer]

    assert added(None) == ["Danube", "Linz"]
    assert added(question) == []


def test_what_the_question_says_need_not_be_said_again() -> None:
    def missing(answer: str, expected: str, question: str | None) -> list[str]:
        found = compare(answer, [expected], question).differences
        return [expected[slice(*one.source)] for one in found if one.change == "missing" and one.source]

    expected, question = "Tom gave feedback to Elena.", "Who gave feedback to Elena?"
    assert missing("Tom did.", expected, None) == ["Elena"]
    assert missing("Tom did.", expected, question) == []
    assert missing("Somebody did.", expected, question) == ["Tom"]
    assert missing("The taller one.", "Ben", "Is it Ann or Ben?") == ["Ben"]
    assert missing("Yes.", "Ben", "Is it Ben?") == ["Ben"]


def test_a_name_of_the_question_is_replaced_only_by_one_among_the_same_words() -> None:
    def changed(answer: str, expected: str, question: str) -> list[str]:
        found = compare(answer, [expected], question).differences
        return [one.note for one in found if one.change == "changed"]

    question = "How many moons does Mars have?"
    assert changed("It has a pair: Phobos and Deimos.", "Mars has two moons.", question) == []
    assert changed("Venus has two moons.", "Mars has two moons.", question) == ["`Venus` instead of `Mars`"]


def test_no_to_what_was_asked_is_another_answer_than_yes() -> None:
    found = compare("It isn't vegan, as it has cream.", ["Yes, no animals at all."], "Is the soup vegan?")

    assert [(one.kind, one.change) for one in found.differences] == [("negation", "changed")]


def test_a_number_that_can_be_calculated_is_marked() -> None:
    compared = compare("Three of them come to €14.70.", ["One costs €4.90. Delivery is free."])

    assert [(one.kind, one.derived) for one in compared.differences if one.answer] == [
        ("number", True),
        ("number", True),
    ]
    assert not any(one.derived for one in compare("It costs €15.20.", ["One costs €4.90."]).differences)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("number", "The bridge is open and 300 m long."),
        ("date", "The bridge was opened in 1932."),
        ("name", "The bridge was designed by Bradfield."),
    ],
)
def test_a_fact_of_the_answer_alone_is_added(kind: str, answer: str) -> None:
    found = telling(answer, "The bridge is open. It is used by cars.")

    assert [(one.kind, one.change, one.source) for one in found] == [(kind, "added", None)]


def test_a_fact_of_the_reference_alone_is_missing() -> None:
    found = differences("The bridge is open.", ["The bridge is open. It opened in 1932."])

    assert [(one.kind, one.change, one.answer) for one in found] == [("date", "missing", None)]


def test_a_negation_about_something_else_is_no_difference() -> None:
    answer = "The shop is open. Parking is not free."

    assert telling(answer, "The shop is open until late. Parking is not free of charge.") == []
    assert [one.kind for one in telling(answer, "The shop is open. Parking is free.")] == ["negation"]


def test_a_fact_in_any_of_the_references_agrees() -> None:
    assert telling("It opened in 1932 and is 503 m long.", "It opened in 1932.", "It is 503 m long.") == []


def test_the_note_says_what_stands_there_instead() -> None:
    (found,) = telling("It opened in 1963.", "It opened in 1969.")

    assert found.note == "`1963` instead of `1969`"


WORDS = (
    "the shop is not open no never 5 km 1969 July 20 Neil Armstrong closed more than at least all some "
    ". , \n U.S. Monday 5 pm"
)
BUILT = st.lists(st.sampled_from([*WORDS.split(" "), "twenty-one", "$5", "few", "1.", "’s"])).map(" ".join)


@settings(max_examples=examples(300), deadline=None)
@given(st.one_of(st.text(), BUILT))
def test_a_text_never_differs_from_itself(text: str) -> None:
    assert differences(text, [text]) == []


@settings(max_examples=examples(200), deadline=None)
@given(BUILT, st.lists(BUILT, max_size=2))
def test_every_difference_stands_where_it_says(answer: str, references: list[str]) -> None:
    compared = compare(answer, references)

    assert compared.agreeing >= 0
    for found in compared.differences:
        assert (found.answer is None) == (found.change == "missing")
        assert found.answer is None or 0 <= found.answer[0] < found.answer[1] <= len(answer)
        if found.source is not None and found.reference is not None:
            assert references[found.reference][slice(*found.source)].strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "1" * 50_000,
        "1." * 25_000,
        "Ab " * 8_000,
        "not " * 8_000,
        "no a. " * 4_000,
        "open not closed " * 2_000,
        " ".join(f"x {n} km" for n in range(3_000)),
        ". ".join(f"We saw {n} in Xo{n}" for n in range(1_500)),
    ],
)
def test_nonsense_is_compared_in_little_time(text: str) -> None:
    begun = time.thread_time()
    differences(text, [text, text[::-1]])

    assert usual_seconds(begun) < 10


Told = set[tuple[str, str]]


def told(answer: str, *references: str) -> Told:
    found = differences(answer, references)
    return {(one.kind, one.change) for one in found if one.change != "missing"}


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("It opens at nine.", "It opens at 9:00."),
        ("It opens at 9:00.", "It opens at nine."),
        ("The bar closes at ten.", "The bar closes at 10 pm."),
        ("It closes at six o'clock.", "It closes at 18:00."),
        ("It is open from nine to five.", "It is open from 9 am to 5 pm."),
        ("It is open 9 to 5 pm.", "It is open from 9:00 to 17:00."),
    ],
)
def test_a_bare_hour_agrees_with_the_time_it_means(answer: str, reference: str) -> None:
    assert told(answer, reference) == set()


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("The museum closes at six.", "It closes at 5 p.m."),
        ("It closes at 5 p.m.", "The museum closes at six."),
        ("The museum closes at six.", "The museum closes at 6:30 pm."),
        ("It is open from nine to six.", "It is open from 9 am to 5 pm."),
    ],
)
def test_a_bare_hour_differs_from_another_time(answer: str, reference: str) -> None:
    assert told(answer, reference) == {("date", "changed")}


@pytest.mark.parametrize("answer", ["The museum has six rooms.", "You can enter at six doors."])
def test_a_number_of_things_never_meets_a_time(answer: str) -> None:
    assert told(answer, "The museum closes at 5 p.m.") == {("number", "added")}
    assert told(answer, "The museum closes at 6 p.m.") == {("number", "added")}


@pytest.mark.parametrize(
    ("kind", "answer", "reference"),
    [
        ("opposite", "It is open.", "It is shut."),
        ("opposite", "They won.", "They lost."),
        ("opposite", "open", "closed"),
        ("negation", "It works.", "It does not work."),
        ("negation", "It doesn't work.", "It works."),
    ],
)
def test_short_sentences_with_the_same_frame_are_compared(kind: str, answer: str, reference: str) -> None:
    assert told(answer, reference) == {(kind, "changed")}


@pytest.mark.parametrize(
    ("answer", "reference"),
    [("It is hot.", "He is cold."), ("It is safe.", "It is not dangerous."), ("It is big.", "It is red.")],
)
def test_short_sentences_that_do_not_contradict_each_other_agree(answer: str, reference: str) -> None:
    assert told(answer, reference) == set()


@pytest.mark.parametrize(
    "answer",
    [
        "Quiet hours begin early.",
        "Zest the lemon.",
        "1. Gently push the slide.",
        "2. Installing takes long.",
        "**Note:** it is long.",
        "Scope of Coverage: it is broad.",
    ],
)
def test_an_everyday_word_with_the_capital_of_its_place_is_no_name(answer: str) -> None:
    assert told(answer, "The hall is noisy.") == set()


@pytest.mark.parametrize(
    "answer",
    [
        "Kubernetes provides container orchestration.",
        "1. Kubernetes provides container orchestration.",
        "Kubernetes: container orchestration.",
    ],
)
def test_a_strange_name_at_the_start_of_a_sentence_is_seen(answer: str) -> None:
    assert told(answer, "ROS 2 is a middleware for robots. It uses DDS.") == {("name", "added")}


def test_a_plural_acronym_stands_for_its_words() -> None:
    assert told("They pay National Insurance Contributions.", "They pay lower NICs.") == set()


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("The passages do not mention the price of bread.", "People mention the price of bread often."),
        ("The price is not stated in the given passages.", "The price is stated on the label."),
        ("I do not know the price of bread.", "People know the price of bread."),
        ("Avoid using a hose on the wall.", "Do not use a hose on the wall."),
        ("Do not yank the tick away.", "If you yank the tick away, part of it stays."),
        ("Cats swim, while dogs do not.", "Cats swim and dogs run."),
    ],
)
def test_what_is_left_open_denies_nothing(answer: str, reference: str) -> None:
    assert told(answer, reference) == set()


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("The document does not mention fees.", "The document mentions fees."),
        ("The firm does not provide dental insurance.", "The firm provides dental insurance."),
        ("We do not offer refunds.", "We offer refunds on all tickets."),
        ("No evidence of fraud was found.", "Evidence of fraud was found."),
        ("You get a refund if you do not cancel.", "You get a refund if you cancel."),
    ],
)
def test_a_denial_of_what_the_reference_says_is_a_change(answer: str, reference: str) -> None:
    assert told(answer, reference) == {("negation", "changed")}


def test_a_number_that_points_at_a_place_is_no_fact() -> None:
    assert told("Repeat steps 4 and 5, as in Passage 3.", "Repeat it.") == set()


def test_bare_degrees_may_be_of_either_scale() -> None:
    assert told("Bake it at 175 °C.", "Bake it at 350 degrees.") == set()
    assert told("Bake it at 350 degrees.", "Bake it at 175 °C.") == set()
    assert told("Bake it at 350 degrees.", "Bake it at 150 °C.") == {("number", "added")}


def test_a_copy_has_spaces_around_its_marks_and_no_capitals() -> None:
    text = "Don't pay $1,200 (or 5%) to Ann's.\nIt's $3.50."

    assert tokenised(text) == "do n't pay $ 1 , 200 ( or 5 % ) to ann 's .\nit 's $ 3.50 ."


def test_small_letters_and_tokens_change_few_decisions_on_facts() -> None:
    measure, space = FactAgreement(), Space()

    def keeps(answer: str, expected: str) -> bool:
        return measure.read(Sample.of(answer, expected=expected), space).value >= 1

    rows = list(rows_of(DATA, "means.jsonl.gz"))
    differ = [
        row["id"]
        for row in rows
        if keeps(row["answer"], row["expected"])
        != keeps(tokenised(row["answer"]), tokenised(row["expected"]))
    ]

    assert len(differ) <= 0.05 * len(rows), differ


def test_a_century_agrees_with_a_year_in_it_and_with_no_day_of_any_year() -> None:
    before_christ, may, year = Moment(century=-1), Moment(month=5, day=3), Moment(year=-44)

    assert not agree(before_christ, may)
    assert agree(before_christ, year)


def test_a_bound_that_differs_is_shown_as_a_bound() -> None:
    notes = [
        one.note for one in differences("It takes no more than ten days.", ["It takes at least ten days."])
    ]

    assert "`ten days` or less instead of `ten days` or more" in notes
