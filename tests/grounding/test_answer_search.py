"""Sentences of a whole page that answer a question, with the help of a cross-encoder."""

from dataclasses import replace

import pytest

from sensecheck.checks.assess import assess
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import Cutoff
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.grounding.answer_search import READ_SENTENCES, answer_search, kind_of
from sensecheck.grounding.extractive import answers_in, extraction, to_extract
from sensecheck.sense import Sense
from tests.scorers import CountingScorer

TOOL = """Installing Tidepool

Requirements
Tidepool runs on Linux (kernel 4.18 or newer), macOS 12 and later, and Windows 10 or 11. It needs about 40 MB
of disk space. OpenSSH must be installed on both ends.

Updating
Run tidepool self-update to install the latest version. Profiles of version 1 are converted. The program has
no background service."""
HASHING = replace(answer_search(), cutoff=Cutoff(0.0, "above"))
"""The same search for any encoder, which gives what it finds best."""


def answers(question: str, passage: str, sense: Sense) -> list[str]:
    asked = to_extract(question, passage)
    assert asked is not None
    found = answers_in(sense.judge(asked, answer_search()))
    return [passage[start:end] for (start, end), _ in found]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Does it run on Windows?", "Tidepool runs on Linux"),
        ("How much disk space does it need?", "It needs about 40 MB"),
        ("How do I install the latest version?", "Run tidepool self-update"),
    ],
)
def test_what_the_page_answers_is_given(question: str, answer: str, sense: Sense) -> None:
    assert [text[: len(answer)] for text in answers(question, TOOL, sense)] == [answer]


@pytest.mark.parametrize("question", ["How much does a licence cost?", "Who is the king of Norway?"])
def test_what_the_page_does_not_answer_has_no_answer(question: str, sense: Sense) -> None:
    assert answers(question, TOOL, sense) == []


def test_a_page_in_another_language_is_left_to_the_words(sense: Sense) -> None:
    asked = to_extract(
        "Was kostet der Eintritt?", "Das Museum ist am Montag geschlossen. Der Eintritt ist frei."
    )
    assert asked is not None

    assert sense.judge(asked, answer_search()) == sense.judge(asked, extraction())


def test_the_cross_encoder_reads_no_more_sentences_than_it_may() -> None:
    scorer = CountingScorer()
    asked = to_extract("Does it run on Windows?", TOOL)
    assert asked is not None
    (verdict,) = assess([(asked, HASHING)], Backends(HashingEncoder(), scorer))

    assert verdict.outcome == "pass"
    assert len(scorer.asked) == READ_SENTENCES
    assert {claim for claim, _ in scorer.asked} == {"Does it run on Windows?"}


def test_without_a_cross_encoder_the_words_decide_alone() -> None:
    asked = to_extract("Does it run on Windows?", TOOL)
    assert asked is not None
    with_search, without = (
        list(assess([(asked, rule)], Backends(HashingEncoder()))) for rule in (HASHING, extraction())
    )

    assert with_search == without


def test_another_cross_encoder_than_the_fitted_one_is_not_believed() -> None:
    asked = to_extract("Does it run on Windows?", TOOL)
    assert asked is not None
    readers = Backends(HashingEncoder(), CountingScorer())

    assert list(assess([(asked, answer_search())], readers)) == list(assess([(asked, extraction())], readers))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much is the Business plan?", "money"),
        ("What does a colour print cost?", "money"),
        ("How much disk space does it take?", "number"),
        ("When are you open?", "date"),
        ("What are your opening hours?", "date"),
        ("Who is the contact?", "name"),
        ("Which bank handles the payments?", "name"),
        ("Which command installs it?", "command"),
        ("does it run on windows", "yes_no"),
        ("How do I cancel?", None),
        ("Where is it?", None),
    ],
)
def test_the_kind_of_answer_that_a_question_asks_for(question: str, kind: str | None) -> None:
    assert kind_of(question) == kind
