"""A claim that the passage does not say is told from a claim about the world."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpus import each_of
from tests.pace import usual_seconds

from sensecheck.measures.claims.abstention import abstention

ABSTAINS = [
    "The passage does not mention the price.",
    "The provided passages don't say who built it.",
    "Passage 2 and passage 3 do not mention the year.",
    "The given text doesn't explicitly state his age.",
    "The information provided is not sufficient to answer.",
    "The context makes no mention of a refund.",
    "The document says nothing about pets.",
    "None of the passages explain why.",
    "No passage mentions side effects.",
    "The price is not specified in the provided context.",
    "His age isn't mentioned anywhere in the text.",
    "This is not explicitly stated in the passages.",
    "There are no side effects mentioned in the passages.",
    "There is no information about parking.",
    "There is no mention of a refund.",
    "No further details are given.",
    "There is not enough information to answer the question.",
    "Insufficient information to answer.",
    "It is not possible to answer the question based on the passages.",
    "Based on the given passages, it is difficult to say which is better.",
    "Based on the provided passages, the normal value is not explicitly mentioned.",
    "This cannot be determined from the given documents.",
    "I cannot find this in the text.",
    "I could not find any information about it.",
    "I'm unable to answer this question.",
    "I don't have enough information to say.",
    "I don't know.",
    "I cannot say more, because the passage does not mention it.",
    "I don’t know the answer to that.",
    "Unable to answer based on given passages.",
    "(Unable to answer based on given passages)",
    "None mentioned in the given passages.",
]
CLAIMS = [
    "The contract does not say when it ends.",
    "The law does not mention fines.",
    "The shop does not open on Sunday.",
    "He did not mention the price.",
    "The witness could not find her keys.",
    "I can't find my keys.",
    "We cannot say goodbye.",
    "The king was not named in the will.",
    "It is not found in the text of the treaty.",
    "There is no information desk.",
    "There is no cure.",
    "No one was hurt.",
    "If the passage does not mention it, ask the author.",
    "The passage mentions two rivers, not three.",
    "Based on the given passages, bowel movements do not cause weight loss.",
    "According to the article, he did not leave.",
    "She does not know the answer.",
    "The cause cannot be determined.",
    "Unable to walk, he stayed.",
    "The text messages did not arrive.",
    "There was not enough evidence to convict him.",
    "",
]


@each_of("text", ABSTAINS)
def test_what_the_passage_leaves_open_is_told(text: str) -> None:
    found = abstention(text)

    assert found is not None
    assert 0 <= found[0] < found[1] <= len(text)


@each_of("text", CLAIMS)
def test_a_negation_about_the_world_is_a_claim(text: str) -> None:
    assert abstention(text) is None


def test_of_a_claim_that_does_both_only_the_open_part_is_named() -> None:
    text = "The passage names two rivers, but does not mention their length."
    found = abstention(text)

    assert found is not None
    assert text[slice(*found)] == "but does not mention"


@given(st.one_of(st.text(), st.lists(st.sampled_from(" ".join([*ABSTAINS, *CLAIMS]).split())).map(" ".join)))
def test_any_text_can_be_asked(text: str) -> None:
    found = abstention(text)

    assert found is None or 0 <= found[0] < found[1] <= len(text)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["passage ", "no passage ", "based on the text ", "not ", "\n", "i cannot "])
def test_much_nonsense_takes_little_time(unit: str) -> None:
    begun = time.thread_time()
    abstention(" ".join(ABSTAINS) + unit * (20_000 // len(unit)))

    assert usual_seconds(begun) < 5
