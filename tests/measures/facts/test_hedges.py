"""What is only almost so, next to what is; and what says the same in other words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.facts.hedges import weaker_claims
from sensecheck.measures.facts.references import taken_apart


def changes(answer: str, expected: str) -> set[str]:
    found = weaker_claims(taken_apart(answer).parsed, taken_apart(expected).parsed)
    return {one.change for one in found}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Almost everyone agreed.", "Everyone agreed."),
        ("Nearly all rooms have a bath.", "All rooms have a bath."),
        ("Nearly all of them do.", "All rooms have a bath."),
        ("Most rooms have a bath.", "All rooms have a bath."),
        ("Many rooms have a bath.", "Every room has a bath."),
        ("Some rooms have a bath.", "Most rooms have a bath."),
        ("Most people agreed.", "Everyone agreed."),
        ("He almost never drinks wine.", "He never drinks wine."),
        ("He seldom drinks wine.", "He never drinks wine."),
        ("Hardly anyone came.", "Nobody came."),
        ("Almost no trains run.", "No trains run."),
        ("It is nearly always open.", "It is always open."),
        ("It is usually open.", "It is always open."),
        ("Almost the whole team was there.", "The whole team was there."),
        ("We nearly lost the final.", "We lost the final."),
        ("The work is almost complete.", "The work is complete."),
        ("It is long. Nearly all rooms have a bath.", "All rooms have a bath."),
    ],
)
def test_an_answer_that_hedges_says_less(answer: str, expected: str) -> None:
    assert changes(answer, expected) == {"less"}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Everyone agreed.", "Almost everyone agreed."),
        ("Nobody came.", "Hardly anyone came."),
        ("He never drinks wine.", "He rarely drinks wine."),
        ("We lost the final.", "We nearly lost the final."),
    ],
)
def test_an_answer_without_the_hedge_that_was_expected_says_something_else(
    answer: str, expected: str
) -> None:
    assert changes(answer, expected) == {"changed"}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Practically everybody agreed.", "Almost everyone agreed."),
        ("Everyone agreed but Tom.", "Almost everyone agreed."),
        ("Everybody agreed.", "All agreed."),
        ("About half of it is gone.", "Half of it is gone."),
        ("Almost half of it is gone.", "Half of it is gone."),
        ("It takes almost two hours.", "It takes two hours."),
        ("It takes nearly an hour.", "It takes an hour."),
        ("Hardly anyone came.", "Almost nobody came."),
        ("He almost never drinks.", "He rarely drinks."),
        ("The concert drew next to no audience.", "Almost no audience came."),
        ("Hardly any current flows through it.", "No, it is an insulator."),
        ("Most of the shops are shut.", "Most shops are shut."),
        ("Some rooms have a bath, others don't.", "Not all rooms have a bath."),
        ("Many visitors left, in fact all did.", "All of the many visitors left."),
        ("They have one each. Nearly all have a balcony.", "All rooms have a bath."),
        ("You get at most three.", "You get all three."),
        ("All rooms have a bath, nearly all a balcony.", "All rooms have a bath."),
    ],
)
def test_what_is_hedged_alike_or_only_rounded_agrees(answer: str, expected: str) -> None:
    assert changes(answer, expected) == set()


def test_a_hedge_counts_once() -> None:
    sample = Sample.of("Nearly every room has a bath.", expected="Every room has a bath.")
    (found,) = FactAgreement(count=("changed", "less")).read(sample, Space()).evidence

    assert (found.kind, found.note) == ("quantifier", "`Nearly every` instead of `Every`")


def test_next_to_passages_a_weaker_claim_follows() -> None:
    sample = Sample.of("Almost everyone agreed.", passages=("Everyone agreed.",))

    assert FactAgreement(against="passages", count=("changed", "less")).read(sample, Space()).value == 1


PARTS = "almost nearly all the no any hardly rarely never some most people rooms left 5 . , not next to"


@settings(max_examples=examples(300), deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(PARTS.split(" "))).map(" ".join)))
def test_no_text_hedges_what_it_says_itself(text: str) -> None:
    assert changes(text, text) == set()
