"""Facts whose place in the sentence or in the text says what they are."""

import pytest

from sensecheck.measures.facts.agreement import differences

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
