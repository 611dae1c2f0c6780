"""Claims said otherwise that are still true."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.edit import Article
from models.verifier.edits.kept import Rewrite, kept
from models.verifier.edits.kept_drops import said_less
from models.verifier.edits.kept_forms import verb
from models.verifier.edits.kept_frames import combined, framed
from models.verifier.edits.kept_moves import moved
from models.verifier.edits.kept_naming import renamed
from models.verifier.edits.kept_notation import other_notation
from models.verifier.edits.kept_words import choices, other_word

NOTHING = Article("", ())


def ways(rewrite: Rewrite, claim: str, article: Article = NOTHING) -> set[str]:
    def rounds() -> Iterator[str]:
        for seed in range(20):
            yield from rewrite(claim, article, Random(seed))

    return set(rounds())


@pytest.mark.parametrize(
    ("rewrite", "claim", "said"),
    [
        (other_word, "He purchased a house.", "He bought a house."),
        (other_word, "It was an immense ship.", "It was a huge ship."),
        (other_notation, "The team has three coaches.", "The team has 3 coaches."),
        (other_notation, "About 12,500 people came.", "About 12500 people came."),
        (other_notation, "Prices rose 5% in May.", "Prices rose 5 percent in May."),
        (other_notation, "He was born on May 5, 1990.", "He was born on 5 May 1990."),
        (other_notation, "She moved to the United States.", "She moved to the US."),
        (other_notation, "It did not rain.", "It didn't rain."),
        (moved, "In 1990, the club won the cup.", "The club won the cup in 1990."),
        (moved, "The club won the cup in 1990.", "In 1990, the club won the cup."),
        (moved, "The book was written by John Smith in 1990.", "John Smith wrote the book in 1990."),
        (moved, "John Smith wrote the book in 1990.", "The book was written by John Smith in 1990."),
        (said_less, "Paris, the capital of France, is an old city.", "Paris is an old city."),
        (said_less, "However, the plan was dropped.", "The plan was dropped."),
        (said_less, "The tower (built in 1889) is tall.", "The tower is tall."),
        (said_less, "He wrote a book and moved to Rome.", "He wrote a book."),
    ],
)
def test_a_claim_is_said_otherwise(rewrite: Rewrite, claim: str, said: str) -> None:
    assert said in ways(rewrite, claim)


def test_less_is_not_said_under_a_negation() -> None:
    assert ways(said_less, "He did not move quickly and settled in Rome.") == set()


def test_a_time_is_not_moved_out_of_what_someone_said() -> None:
    assert ways(moved, "He said that the club won the cup in 1990.") == set()


def test_names_are_not_reworded() -> None:
    assert not any("Large" in text for text in ways(other_word, "He saw the Big Apple."))


def test_a_person_goes_by_the_last_name_too() -> None:
    article = Article("", ("Barack Obama spoke.", "Then Obama left with his aides."))

    assert "Obama spoke." in ways(renamed, "Barack Obama spoke.", article)


def test_two_sentences_become_one() -> None:
    article = Article("", ("The old bridge crosses the river.", "The market opens at noon each day."))

    assert "The old bridge crosses the river; the market opens at noon each day." in ways(
        combined, article.sentences[0], article
    )


def test_a_frame_keeps_the_claim_whole() -> None:
    assert all("the bridge is old" in text.lower() for text in ways(framed, "The bridge is old."))


def test_a_kept_claim_marks_nothing_and_repeats_with_the_same_seed() -> None:
    claim = "In 1990, the large company purchased three small firms in the United States."
    first, again = (list(kept(claim, NOTHING, Random(7))) for _ in range(2))

    assert first == again
    assert first
    assert all(edit.kind == "kept" and not edit.changed and edit.text != claim for edit in first)


def test_verbs_are_inflected() -> None:
    assert verb("carry out").past == "carried out"
    assert verb("stop").ing == "stopping"
    assert verb("begin").participle == "begun"


def test_the_list_of_synonyms_is_long() -> None:
    assert len(choices()) > 500
