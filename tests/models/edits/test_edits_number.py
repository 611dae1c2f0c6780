"""Claims with another number."""

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.number import number

SENTENCES = (
    "The town has 1,200 houses and three schools.",
    "In 1990 the river flooded 38 farms near the old mill.",
    "About 45% of the voters in the region chose the green party.",
    "The tower cost more than $3.5 million and is 13,000 mm (13 m) high.",
    "An 8-year-old boy finished 22nd of the 60 runners.",
)
ARTICLE = Article("Town", SENTENCES)


def edits(claim: str, seed: int = 0) -> list[Edit]:
    return list(number(claim, ARTICLE, Random(seed)))


def marked(edit: Edit) -> list[str]:
    return [edit.text[start:end] for start, end in edit.changed]


def test_marks_lie_in_order_inside_a_text_that_differs() -> None:
    for claim in SENTENCES:
        for edit in edits(claim):
            ends = [at for span in edit.changed for at in span]
            assert edit.text != claim
            assert ends == sorted(set(ends))
            assert all(marked(edit))
            assert ends[-1] <= len(edit.text)


def test_the_same_seed_gives_the_same_edits() -> None:
    assert edits(SENTENCES[0], 7) == edits(SENTENCES[0], 7)


def test_a_number_keeps_its_notation() -> None:
    words = [mark for edit in edits("The town has 1,200 houses.") for mark in marked(edit)]

    assert words
    assert all("," in word or len(word) <= 3 for word in words)


def test_a_number_of_another_thing_in_the_article_is_among_the_edits() -> None:
    assert "The town has 38 farms." not in {edit.text for edit in edits("The town has 38 farms.")}
    assert any(marked(edit) == ["60"] for edit in edits("The river flooded 38 farms."))


def test_years_and_converted_lengths_stay() -> None:
    assert not edits("In 1989 it was led by others.")
    assert not edits("A wall 13,000 mm (13 m) high was built in 1990.")


def test_a_lower_bound_is_only_raised() -> None:
    for edit in edits("It cost more than $3.5 million."):
        assert float(marked(edit)[0]) > 3.5


def test_an_upper_bound_is_only_lowered() -> None:
    for edit in edits("It takes less than five weeks."):
        assert marked(edit)[0] in ("two", "three", "four")


def test_the_article_before_a_number_fits_it() -> None:
    texts = {edit.text for seed in range(20) for edit in edits("An 80-page book.", seed)}

    assert all(text.startswith(("An 8", "An 11-", "An 18-", "A ")) for text in texts)


def test_two_numbers_trade_places_when_words_stand_between() -> None:
    texts = {edit.text for edit in edits("The crew had 5 men in one boat and 8 women in the other.")}

    assert "The crew had 8 men in one boat and 5 women in the other." in texts


def test_shares_and_multiples_in_words_change() -> None:
    texts = {edit.text for edit in edits("Half of the members left and sales doubled.")}

    assert "A third of the members left and sales doubled." in texts
    assert "Half of the members left and sales tripled." in texts
