"""Names and nouns replaced by others of their sort."""

import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.name import name
from models.verifier.edits.name_mentions import same_thing

ARTICLE = Article(
    "Energy",
    (
        "James Watson moved to France in 1854.",
        "His rival Peter Brown stayed in Germany.",
        "Most of the energy is released by the mitochondrion.",
        "The French army was defeated by Russian troops.",
        "The chloroplasts contain DNA, and so does the nucleus of a cell.",
        "A teacher of the village wrote the report for the United States.",
    ),
)
LOWERCASE = Article("Films", ("the film was shot in france and won an award.",))


def edits(claim: str, article: Article = ARTICLE, seeds: int = 30) -> list[Edit]:
    return [edit for seed in range(seeds) for edit in name(claim, article, Random(seed))]


@pytest.mark.parametrize("claim", ARTICLE.sentences)
def test_the_marked_stretch_is_all_that_changed(claim: str) -> None:
    found = edits(claim)

    assert found
    for edit in found:
        (start, end), *others = edit.changed
        assert edit.kind == "name"
        assert edit.text != claim
        assert not others
        assert 0 <= start < end <= len(edit.text)
        assert claim.startswith(edit.text[:start])
        assert claim.endswith(edit.text[end:])


def test_a_name_gives_way_to_one_of_the_same_article_and_to_others() -> None:
    said = {edit.text[start:end] for edit in edits(ARTICLE.sentences[0]) for start, end in edit.changed}

    assert "Peter Brown" in said
    assert "Germany" in said
    assert len(said) > 6


def test_a_country_is_not_replaced_by_another_name_of_it() -> None:
    said = {edit.text for edit in edits(ARTICLE.sentences[5])}

    assert said
    assert not any("America" in text or "USA" in text for text in said)


def test_names_with_shared_words_or_initials_are_the_same_thing() -> None:
    assert same_thing("Watson", "James Watson")
    assert same_thing("World Health Organization", "WHO")
    assert same_thing("France", "French")
    assert not same_thing("France", "Germany")


def test_a_and_an_follow_the_new_noun() -> None:
    for edit in edits(ARTICLE.sentences[5]):
        words = edit.text.split()
        for lead, noun in pairwise(words):
            assert lead.lower() != "an" or noun[0].lower() in "aeiou"
            assert lead.lower() != "a" or noun[0].lower() not in "aeiou"


def test_a_and_an_follow_the_new_people() -> None:
    claim = "After a German court had ruled, she left."

    found = edits(claim, Article("", (claim,)), seeds=60)

    assert any("After an Italian court" in edit.text or "After an Irish" in edit.text for edit in found)
    assert not any("a Italian" in edit.text for edit in found)


def test_a_text_without_capitals_keeps_without_them() -> None:
    found = edits(LOWERCASE.sentences[0], LOWERCASE)

    assert found
    assert all(edit.text.islower() for edit in found)


def test_the_same_seed_gives_the_same_edits() -> None:
    claim = ARTICLE.sentences[3]

    assert list(name(claim, ARTICLE, Random(7))) == list(name(claim, ARTICLE, Random(7)))


def test_a_claim_without_names_or_nouns_is_left_alone() -> None:
    assert list(name("It is so.", Article("", ("It is so.",)), Random(1))) == []
