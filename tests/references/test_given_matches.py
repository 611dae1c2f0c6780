"""The document's rules, on matches that are given."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensecheck.references import EmbeddingSettings, SimilarityMatch
from tests.examples import examples
from tests.references.given import Item, bundled, kept, match

SIMILARITIES = st.one_of(st.sampled_from([-0.5, 0.0, 0.5, 0.9, 1.0]), st.floats(-1, 1))
MATCHES = st.lists(st.builds(match, st.text(max_size=12), SIMILARITIES), max_size=12)
OFTEN = settings(max_examples=examples(60), deadline=None)


def by_the_document(matches: list[SimilarityMatch], wanted: EmbeddingSettings) -> list[SimilarityMatch]:
    """The rules, written down a second time."""
    left = sorted(matches, key=lambda one: -one.similarity)
    line, room = wanted.min_reference_similarity, wanted.max_reference_chars_per_item
    left = [one for one in left if line == 0 or one.similarity >= line][: wanted.top_k_references]
    if room == 0:
        return left
    lengths = [sum(len(one.chunk.text) for one in left[: count + 1]) for count in range(len(left))]
    return left[: sum(length <= room for length in lengths)]


def test_a_reference_below_the_line_is_dropped_and_says_why() -> None:
    near, far = match("good", 0.9), match("bad", 0.1)
    bundle = bundled(EmbeddingSettings(min_reference_similarity=0.5), [near, far])

    assert bundle.item_references[Item.SLEEP] == [near]
    (gone,) = bundle.selections[Item.SLEEP].dropped
    assert (gone.match.text, gone.stage) == ("bad", "above")
    assert gone.because == "its similarity 0.1 is below the cutoff: at least 0.5 (uncalibrated)"


def test_a_reference_exactly_on_the_line_is_kept() -> None:
    on = match("on the line", 0.6)

    assert kept(EmbeddingSettings(min_reference_similarity=0.6), [on]) == [on]


@pytest.mark.parametrize(
    ("room", "count"), [(4, 0), (5, 1), (9, 1), (10, 2), (11, 2), (14, 2), (15, 3), (16, 3)]
)
def test_the_budget_counts_the_characters_of_texts_and_may_be_used_up_exactly(room: int, count: int) -> None:
    matches = [match("12345", 0.9 - step / 10) for step in range(3)]
    chosen = EmbeddingSettings(top_k_references=3, max_reference_chars_per_item=room)
    bundle = bundled(chosen, matches)

    assert bundle.item_references[Item.SLEEP] == matches[:count]
    (spent,) = bundle.selections[Item.SLEEP].spent
    assert (spent.used, spent.budget) == (5 * count, room)


def test_after_the_first_that_does_not_fit_none_is_kept_even_if_it_would() -> None:
    matches = [match("12345", 0.9), match("1234567890", 0.8), match("1", 0.7)]

    assert kept(EmbeddingSettings(top_k_references=3, max_reference_chars_per_item=8), matches) == matches[:1]


def test_the_budget_counts_after_the_line_and_the_first_k() -> None:
    far, near, middle = match("far", 0.2), match("near", 0.9), match("middle", 0.5)
    chosen = EmbeddingSettings(
        top_k_references=2, min_reference_similarity=0.3, max_reference_chars_per_item=10
    )

    assert kept(chosen, [far, near, middle]) == [near, middle]


def test_without_guards_the_most_similar_are_taken_in_their_order() -> None:
    low, high, middle = match("low", 0.2), match("high", 0.9), match("middle", 0.5)

    assert kept(EmbeddingSettings(), [low, high, middle]) == [high, middle]


def test_a_line_of_0_is_no_line_so_a_negative_cosine_stays() -> None:
    opposite = match("opposite", -0.4)

    assert kept(EmbeddingSettings(), [opposite]) == [opposite]
    assert kept(EmbeddingSettings(min_reference_similarity=1e-9), [opposite]) == []


@OFTEN
@given(MATCHES, st.integers(1, 14))
def test_the_defaults_preserve_the_selection_exactly_ties_included(
    matches: list[SimilarityMatch], k: int
) -> None:
    found = kept(EmbeddingSettings(top_k_references=k), matches)

    usual = list(matches)
    usual.sort(key=lambda one: one.similarity, reverse=True)
    assert [id(one) for one in found] == [id(one) for one in usual[:k]]


@OFTEN
@given(
    MATCHES, st.integers(1, 14), st.sampled_from([0.0, 0.5, 0.9, 1.0]) | st.floats(0, 1), st.integers(0, 60)
)
def test_any_settings_choose_what_the_document_would(
    matches: list[SimilarityMatch], k: int, line: float, room: int
) -> None:
    chosen = EmbeddingSettings(
        top_k_references=k, min_reference_similarity=line, max_reference_chars_per_item=room
    )

    found, wanted = kept(chosen, matches), by_the_document(matches, chosen)
    assert [id(one) for one in found] == [id(one) for one in wanted]


@pytest.mark.parametrize("item", [Item.APPETITE, ("sleep", 2), "sleep", 7, None, frozenset({1})])
def test_an_item_is_anything_that_can_be_a_key(item: object) -> None:
    one = match("text", 0.9)

    assert bundled(EmbeddingSettings(), [one], item).item_references == {item: [one]}


def test_the_same_match_given_twice_is_kept_twice() -> None:
    one = match("text", 0.9)

    assert kept(EmbeddingSettings(), [one, one]) == [one, one]


def test_a_cosine_a_hair_above_1_still_ranks_first() -> None:
    one, over = match("one", 1.0), match("over", 1.00005)

    assert kept(EmbeddingSettings(top_k_references=1), [one, over]) == [over]
