"""Which language a text is in: other languages by name, and English never taken for one of them."""

import sys
import time

from hypothesis import given
from hypothesis import strategies as st

from sensecheck.text.languages import MAX_CHARS, MIN_CHARS, language_of, not_english
from sensecheck.text.wordlists import read_groups
from tests.corpus import each_of, each_row

REPLIES = tuple(
    (reply, language)
    for language, replies in read_groups("short_replies.txt", separator=";").items()
    for reply in sorted(replies)
)


@each_row
def test_a_text_is_in_this_language(text: str, language: str) -> None:
    assert language_of(text) == language


@each_row
def test_english_is_not_taken_for_another_language(text: str) -> None:
    assert language_of(text) is None
    assert language_of(text.lower()) is None


@given(st.text(alphabet=st.characters(codec="latin-1"), max_size=MIN_CHARS - 1))
def test_a_short_text_that_is_no_sentence_and_no_usual_reply_never_decides(text: str) -> None:
    assert language_of(f"{text[:-1]})") is None


@each_of("reply, language", REPLIES)
def test_a_usual_reply_tells_its_language_with_and_without_marks(reply: str, language: str) -> None:
    assert language_of(reply) == language
    assert language_of(f"{reply.capitalize()}.") == language


def test_a_usual_reply_is_not_made_of_english_words_alone() -> None:
    english = read_groups("languages.txt")["English"]

    assert [reply for reply, _ in REPLIES if set(reply.split()) <= english] == []


@given(st.text(max_size=300))
def test_any_text_has_an_answer_and_the_same_one_again(text: str) -> None:
    found = language_of(text)

    assert found is None or found
    assert language_of(text) == found


def test_an_english_text_that_quotes_another_language_is_english_and_the_other_way_round() -> None:
    quoted = "„Das Museum ist heute leider geschlossen, bitte kommen Sie morgen wieder.“"

    assert language_of(f"The sign at the door says this: {quoted}") is None
    assert language_of("Auf dem Schild an der Tür steht: “We are closed today, please return.”") == "German"


def test_the_first_text_that_is_not_english_is_named() -> None:
    german, french = "Das Museum ist heute geschlossen.", "Le musée est fermé aujourd'hui."

    assert not_english(("The museum is closed today.", french, german)) == "French"
    assert not_english(("The museum is closed today.", "12 euros")) is None
    assert not_english(()) is None


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    english = "The museum opens at ten and closes at six. "
    long = english * (MAX_CHARS // len(english) + 1) + "Das Museum ist heute geschlossen. " * 1000

    assert language_of(long) is None


def test_a_text_costs_well_below_a_millisecond() -> None:
    text = "The museum opens at ten and closes at six, and children under six come in free of charge. " * 5
    texts = [f"{text} {number}" for number in range(200)]
    language_of(text)

    begun = time.process_time()
    for each in texts:
        language_of(each)

    assert (time.process_time() - begun) / len(texts) < 0.001
    assert "py3langid" not in sys.modules
