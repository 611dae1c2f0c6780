"""Whether the passages do say what a claim says that they do not."""

import pytest
from tests.corpus import each_row

from sensecheck.measures.claims.abstention import excused
from sensecheck.measures.support.source import plain, source_of
from sensecheck.measures.support.words import mention_of

MOON = (
    "Neil Armstrong walked on the Moon on 20 July 1969. Michael Collins stayed in orbit. "
    "The mission cost 355 million dollars."
)
FOUND = {True: "fail", False: "unsure", None: "abstention"}


@each_row
def test_an_abstention_is_held_against_the_passages(text: str, found: str) -> None:
    part = excused(text)

    assert part is not None
    mention = mention_of(text, part, source_of((MOON,)))
    assert FOUND[None if mention is None else mention.sure] == found


@pytest.mark.parametrize("more", ["The price of the mission was not published.", "No price was ever named."])
def test_a_sentence_that_says_no_more_itself_is_no_proof(more: str) -> None:
    text = "The passages do not mention the price of the mission."

    mention = mention_of(text, (0, len(text)), source_of((more,)))
    assert mention is None or not mention.sure


def test_what_one_of_several_passages_leaves_open_may_stand_in_another() -> None:
    passages = source_of((MOON, "The leaflet lists the crew and their families."))

    for text, sure in (
        ("The leaflet does not mention the mission's cost.", False),
        ("The passages do not mention the mission's cost.", True),
    ):
        mention = mention_of(text, (0, len(text)), passages)
        assert mention is not None
        assert mention.sure is sure


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("🙂 The lift works.", "the lift works", True),
        ("- ✅ The lift works ✨", "The lift works!", True),
        ("❌ Works on Linux.", "Works on Linux.", False),
        ("The lift works?", "The lift works.", False),
        ("Café 1", "Café 2", False),
        ("🙂", "", True),
    ],
)
def test_pictures_around_a_sentence_do_not_change_what_it_says_unless_they_deny_it(
    one: str, other: str, *, same: bool
) -> None:
    assert (plain(one) == plain(other)) == same
