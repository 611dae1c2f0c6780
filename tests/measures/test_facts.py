import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.pace import usual_seconds

from sensecheck.measures.facts.comparing import compare, differences
from sensecheck.measures.facts.fact import Difference


def telling(answer: str, *references: str) -> list[Difference]:
    return [found for found in differences(answer, references) if found.change != "missing"]


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("It is 1.5 km long.", "It is 1500 m long."),
        ("It is 1500 metres long.", "It is 1.5 kilometres long."),
        ("It takes 2 hours.", "It takes 120 minutes."),
        ("It lasts 12 months.", "It lasts one year."),
        ("Water boils at 212 °F.", "Water boils at 100°C."),
        ("It weighs 10 kg.", "It weighs about 22 pounds."),
        ("The disk has 2 GB.", "The disk has 2000 MB."),
        ("We saw twelve swans.", "We saw 12 swans."),
        ("We saw a dozen swans.", "We saw 12 swans."),
        ("There were twenty-one guests.", "There were 21 guests."),
        ("It has two million users.", "It has 2,000,000 users."),
        ("It has 2M users.", "It has 2 million users."),
        ("It cost $5bn.", "It cost 5 billion dollars."),
        ("It cost $3.5 million.", "It cost $3,500,000."),
        ("Two hundred and five people came.", "205 people came."),
        ("The 3rd attempt worked.", "The third attempt worked."),
        ("It grew by 50%.", "It grew by 50 percent."),
        ("It grew by fifty per cent.", "It grew by 50 %."),
        ("About 5 million people live there.", "4.9 million people live there."),
        ("Pi is 3.14.", "Pi is 3.14159."),
        ("Between 5 and 10 km.", "It is 5–10 km."),
        ("It has 10k stars.", "It has 10,000 stars."),
        ("Population 1 234 567", "Population 1,234,567"),
        ("It happened on July 20, 1969.", "It happened on 20 July 1969."),
        ("It happened on 1969-07-20.", "It happened on July 20th, 1969."),
        ("It happened on 20/07/1969.", "It happened on July 20, 1969."),
        ("It happened on 05/07/1969.", "It happened on 5 July 1969."),
        ("It happened on 05/07/1969.", "It happened on 7 May 1969."),
        ("It happened in July 1969.", "It happened on July 20, 1969."),
        ("It happened in 1969.", "It happened on July 20, 1969."),
        ("It happened in the 1960s.", "It happened in 1969."),
        ("It happened in the sixties.", "It happened in the 1960s."),
        ("The shop closes at 5 pm.", "The shop closes at 17:00."),
        ("The shop closes at noon.", "The shop closes at 12:00."),
        ("The shop closes at 5:30 p.m. daily.", "The shop closes at 17:30 daily."),
        ("Armstrong walked there.", "Neil Armstrong walked there."),
        ("It was Neil Armstrong.", "It was Armstrong."),
        ("It is Armstrong's step.", "It is the step of Neil Armstrong."),
        ("Run by the UN.", "Run by the United Nations."),
        ("Run by the United Nations.", "Run by the UN."),
        ("Run by the Federal Bureau of Investigation.", "Run by the FBI."),
        ("The U.S. army won.", "The army of the United States won."),
        ("A Russian ship sank.", "A ship from Russia sank."),
        ("A French ship sank.", "A ship from France sank."),
        ("Beyonce sang it.", "Beyoncé sang it."),
        ("Yesterday the ship sank.", "The ship sank yesterday."),
        ("Scientists found water.", "Water was found by researchers."),
        ("The shop isn't open.", "The shop is not open."),
        ("The shop is not open.", "The shop is closed."),
        ("The shop is not closed.", "The shop is open."),
        ("He was unable to attend.", "He could not attend."),
        ("He failed to attend.", "He did not attend."),
        ("Not only cats but also dogs can swim.", "Cats and dogs can swim."),
        ("Some of the birds can fly.", "All of the birds can fly."),
        ("At least 5 people came.", "No fewer than 5 people came."),
        ("1. Mix it.\n2. Bake it.", "Mix it. Bake it."),
        ("It starts in Q2.", "It starts in the second quarter."),
    ],
)
def test_the_same_fact_in_other_words_agrees(answer: str, reference: str) -> None:
    assert telling(answer, reference) == []


@pytest.mark.parametrize(
    ("kind", "answer", "reference"),
    [
        ("number", "It is 1.6 km long.", "It is 1500 m long."),
        ("number", "The tower has 12 floors.", "The tower has 14 floors."),
        ("number", "The tower has twelve floors.", "The tower has 14 floors."),
        ("number", "It grew by 15%.", "It grew by 25%."),
        ("number", "It cost $5 million.", "It cost $5 billion."),
        ("number", "There is one dog outside.", "There are three dogs outside."),
        ("number", "He was the second president.", "He was the first president."),
        ("number", "42", "41"),
        ("number", "It takes 2 hours.", "It takes 90 minutes."),
        ("number", "It is -5 degrees.", "It is 5 degrees."),
        ("unit", "Water boils at 100 °F.", "Water boils at 100 °C at sea level, which is 212 °F."),
        ("unit", "It is 5 km away.", "It is 5 miles away."),
        ("unit", "It weighs 5 kg.", "It weighs 5 g."),
        ("date", "It happened in 1963.", "It happened in 1969."),
        ("date", "It happened on July 20, 1969.", "It happened on July 21, 1969."),
        ("date", "It happened in June 1969.", "It happened in July 1969."),
        ("date", "We meet on Monday.", "We meet on Tuesday."),
        ("date", "We meet at 5 pm.", "We meet at 5 am."),
        ("date", "We meet at 17:30.", "We meet at 17:00."),
        ("date", "It was popular in the 1970s.", "It was popular in the 1980s."),
        ("name", "It was written by Tolstoy.", "It was written by Dostoevsky."),
        (
            "name",
            "Louis Armstrong walked on the moon.",
            "Neil Armstrong walked on the moon. Armstrong was first.",
        ),
        ("name", "The capital is Sydney.", "The capital is Canberra."),
        ("name", "It runs on GPT-4 now.", "It runs on GPT-3 now."),
        ("name", "It was built by NASA.", "It was built by ESA."),
        ("negation", "The shop is not open.", "The shop is open."),
        ("negation", "The shop is open.", "The shop is not open."),
        ("negation", "The drug doesn't cause drowsiness.", "The drug causes drowsiness."),
        ("negation", "Nobody is riding a bicycle.", "A person is riding a bicycle."),
        ("negation", "There is no man playing guitar.", "A man is playing guitar."),
        ("negation", "The plan failed to cover dental care.", "The plan covers dental care."),
        ("negation", "The engine never overheats.", "The engine overheats."),
        ("negation", "You can enter without a ticket.", "You can enter with a ticket."),
        ("opposite", "Sales increased in Europe.", "Sales decreased in Europe."),
        ("opposite", "The store is closed on weekends.", "The store is open on weekends."),
        ("opposite", "Smoking is allowed in the hall.", "Smoking is forbidden in the hall."),
        ("opposite", "The home team won the final.", "The home team lost the final."),
        ("opposite", "Take it before dinner.", "Take it after dinner."),
        ("opposite", "The valve is always hot.", "The valve is never hot."),
        (
            "comparison",
            "The new model is faster than the old model.",
            "The new model is slower than the old model.",
        ),
        ("comparison", "It has more users than last year.", "It has fewer users than last year."),
        ("comparison", "You need at most 5 points to pass.", "You need at least 5 points to pass."),
        ("comparison", "It costs more than 20 dollars.", "It costs less than 20 dollars."),
        ("comparison", "The maximum speed is fixed.", "The minimum speed is fixed."),
        ("quantifier", "All birds can fly.", "Some birds can fly."),
        ("quantifier", "Most members voted.", "Few members voted."),
    ],
)
def test_another_fact_in_the_same_place_is_a_change(kind: str, answer: str, reference: str) -> None:
    found = telling(answer, reference)

    assert (kind, "changed") in {(one.kind, one.change) for one in found}


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

    assert found.note == "`1963` is not there; it says `1969`"


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
