"""Claims that say more than their article."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.added import added
from models.verifier.edits.edit import Article, Edit

ARTICLE = Article(
    "The mill",
    (
        "The mill was built by James Watson.",
        "According to Peter Brown, no flour was sold there.",
        "A teacher bought the house next to it.",
        "The river froze because the winter was unusually cold.",
        "Many families left the valley during the war.",
    ),
)


def edits(claim: str, seeds: int = 30) -> list[Edit]:
    return [edit for seed in range(seeds) for edit in added(claim, ARTICLE, Random(seed))]


def without(edit: Edit) -> str:
    (start, end), *_ = edit.changed
    return edit.text[:start] + edit.text[end:]


@pytest.mark.parametrize("claim", ARTICLE.sentences)
def test_only_the_added_words_are_marked(claim: str) -> None:
    found = edits(claim)

    assert found
    for edit in found:
        (start, end), *others = edit.changed
        assert edit.kind == "added"
        assert not others
        assert 0 <= start < end <= len(edit.text)
        kept = [word.strip(",.").lower() for word in without(edit).split()]
        own = [word.strip(",.").lower() for word in claim.split()]
        assert [word for word in kept if word not in ("a", "an", "")] == [
            w for w in own if w not in ("a", "an")
        ]


def test_some_of_what_is_added_is_said_of_something_else_in_the_article() -> None:
    said = {edit.text[start:end] for edit in edits(ARTICLE.sentences[0]) for start, end in edit.changed}

    assert "because the winter was unusually cold" in said
    assert "According to Peter Brown" in said
    assert len(said) > 20


def test_a_noun_can_get_an_adjective() -> None:
    claim = ARTICLE.sentences[2]
    said = {
        edit.text
        for edit in edits(claim)
        if edit.text.startswith(("A ", "An ")) and "teacher bought" in edit.text
    }

    assert any(not text.startswith("A teacher") for text in said)


@pytest.mark.parametrize(
    "claim", ["Was the mill built by James Watson?", "The mill", "Please sell no flour there."]
)
def test_what_states_nothing_is_left_alone(claim: str) -> None:
    assert edits(claim) == []


def test_the_same_seed_gives_the_same_edits() -> None:
    claim = ARTICLE.sentences[0]

    assert list(added(claim, ARTICLE, Random(3))) == list(added(claim, ARTICLE, Random(3)))
