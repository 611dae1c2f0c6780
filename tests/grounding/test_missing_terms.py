"""Words of a question that a passage does not have."""

from collections.abc import Callable
from random import Random
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.grounding.missing_terms import LOOKED_AT, MAX_TERMS, missing_words
from sensecheck.text.words import vocabulary

MUSEUM = (
    "The museum in Zürich opens at 10 and closes at 17:30. It was founded by Greta Lind, a real-time artist."
)


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What does a ticket cost?", ("ticket", "cost")),
        ("When does the museum close?", ()),
        ("How many MUSEUMS were opened?", ()),
        ("How much is a Guided tour on Sunday?", ("Guided", "tour", "Sunday")),
        ("Did Marie Curie found the museum?", ("Marie Curie",)),
        ("Did Marie Lind found the museum?", ("Marie",)),
        ("Is the Bank of England near it?", ("Bank of England", "near")),
        ("Is it in Zurich or in Geneva?", ("Geneva",)),
        ("Was there a fire in March 1944?", ("fire", "March 1944")),
        ("Does it close at 18:45?", ("18:45",)),
        ("Is the artist real?", ()),
        ("Is it an off-line museum?", ("off-line",)),
        ("What does the passage say about robots, Robots and ROBOTS?", ("robots",)),
        ("What is this about?", ()),
        ("Could you please explain the text?", ()),
        ("Is vitamin C served?", ("vitamin", "C", "served")),
        ("博物館は何時に閉まりますか", ()),
        ("", ()),
        ("?!", ()),
    ],
)
def test_words_come_as_the_reader_wrote_them(question: str, missing: tuple[str, ...]) -> None:
    assert missing_words(question, MUSEUM) == missing


def test_a_number_is_there_however_its_thousands_are_written() -> None:
    assert missing_words("Are 5,000 or 6,000 people inside?", "5000 people are inside.") == ("6,000",)


def test_of_a_passage_without_words_everything_is_missing() -> None:
    assert missing_words("Where is the ticket office?", "…") == ("ticket", "office")


def test_not_more_are_told_than_a_reader_can_take_in() -> None:
    many = " ".join(f"word{number}" for number in range(50))

    assert missing_words(many, MUSEUM) == tuple(f"word{number}" for number in range(MAX_TERMS))


ENGLISH = "The museum closes at 17:30 on weekdays. A man in a hat sells tickets, and children pay nothing."
ABROAD = [
    "Wie viele Zimmer hat der Turm?",
    "Was kostet eine Karte für Kinder?",
    "Wann wurde die Brücke in Zürich gebaut?",
    "Combien coûte une entrée pour les enfants ?",
    "À quelle heure ferme le musée ?",
    "Qui a construit la tour et quand ?",
    "Cuánto cuesta la entrada para niños?",
    "¿Quién construyó el puente y cuando?",
    "Quante stanze ha la torre?",
    "A che ora chiude il museo?",
    "Dov'è il ponte e chi lo ha costruito?",
    "Ile kosztuje bilet dla dzieci?",
    "Сколько стоит билет?",
]


@pytest.mark.parametrize("question", ABROAD)
def test_of_a_question_in_another_language_than_the_passage_nothing_is_told(question: str) -> None:
    assert missing_words(question, ENGLISH) == ()


@pytest.mark.parametrize(
    ("question", "passage", "missing"),
    [
        ("Wie viele Zimmer hat der Turm?", "Der Turm steht am Hafen.", ("Zimmer",)),
        ("Quand ferme le musée ?", "Le musée est ouvert le lundi.", ("ferme",)),
        ("¿Cuánto cuesta la entrada?", "La entrada está en la plaza.", ("cuesta",)),
        ("Quante stanze ha la torre?", "La torre è alta.", ("stanze",)),
    ],
)
def test_in_the_language_of_the_passage_small_words_are_left_out(
    question: str, passage: str, missing: tuple[str, ...]
) -> None:
    assert missing_words(question, passage) == missing


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Who is Charles de Gaulle?", ("Charles de Gaulle",)),
        ("Is La La Land in Los Angeles?", ("La La Land", "Los Angeles")),
        ("What did the emperor wear in the war?", ("emperor", "wear", "war")),
        ("kubernetes pricing", ("kubernetes", "pricing")),
        ("Kubernetes?", ("Kubernetes",)),
    ],
)
def test_a_name_from_abroad_makes_no_question_foreign(question: str, missing: tuple[str, ...]) -> None:
    assert missing_words(question, ENGLISH) == missing


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Do two or twenty-five people need a guide?", ("people", "guide")),
        ("Do 25 people like using it?", ("25", "people")),
        ("Would children want to go, come or get bread?", ("bread",)),
    ],
)
def test_numbers_count_as_digits_alone_and_words_that_say_little_not_at_all(
    question: str, missing: tuple[str, ...]
) -> None:
    assert missing_words(question, ENGLISH) == missing


def test_a_long_question_is_not_cut_within_a_word() -> None:
    fillings = ["is it a ".ljust(length, "\n") for length in range(LOOKED_AT - 17, LOOKED_AT + 2)]
    told = {missing_words(f"{filling}lighthouse 5,000 or not", ENGLISH) for filling in fillings}

    assert told == {("lighthouse", "5,000"), ("lighthouse",), ()}
    assert missing_words("x" * (LOOKED_AT + 1), ENGLISH) == ()


def taken(act: Callable[[str], object], seed: int) -> float:
    """Seconds for a long passage of words that nobody has seen before."""
    random = Random(seed)
    passage = " ".join("".join(random.choices("abcdeéfiklmnoprstu", k=6)) for _ in range(5700))[:40_000]
    begun = thread_time()
    act(passage)
    return thread_time() - begun


def test_a_long_passage_takes_little_longer_than_to_find_its_words() -> None:
    question = "When was the lighthouse at the harbour of Zürich painted in another colour?"
    finding = min(taken(vocabulary, seed) for seed in range(5))
    telling = min(taken(lambda passage: missing_words(question, passage), seed) for seed in range(5))

    assert telling < 3 * finding


@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_is_asked_only_words_of_the_question_are_told(question: str, passage: str) -> None:
    found = missing_words(question, passage)

    assert len(found) <= MAX_TERMS
    assert all(word in question and word.strip() for word in found)
    assert missing_words(question, question) == ()
