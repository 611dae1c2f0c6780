"""A chain is its stages, one after the other, and nothing besides."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensecheck.core.encoder import Answerers, Encoder, Placement
from sensecheck.core.errors import AnswererError, MissingInput, SpecError, Unreachable
from sensecheck.encoders.around import Around
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval import (
    Chain,
    Match,
    Retrieved,
    above,
    chain,
    distinct,
    diverse,
    matched,
    matched_each,
    reorder,
    rerank,
    tagged,
    top,
    within_chars,
)
from sensecheck.retrieval.stage import Asked, Stage
from tests.conftest import Counting
from tests.retrieval.given import MATCHES, match, texts

STAGES: tuple[Stage, ...] = (
    above(0.3),
    top(3),
    distinct(0.9),
    diverse(0.5),
    reorder("edges"),
    tagged(lang="en"),
    within_chars(8),
)


@given(MATCHES)
def test_without_a_guard_the_selection_is_what_was_given_by_closeness(matches: tuple[Match, ...]) -> None:
    selection = chain()(matches)

    expected = sorted(range(len(matches)), key=lambda at: (-matches[at].closeness, at))
    assert [id(one) for one in selection.kept] == [id(matches[at]) for at in expected]
    assert (selection.dropped, selection.cut, selection.spent) == ((), (), ())


@settings(max_examples=60)
@given(MATCHES, st.permutations(STAGES), st.integers(0, len(STAGES)))
def test_stages_compose_in_any_order_without_hidden_state(
    matches: tuple[Match, ...], order: list[Stage], used: int
) -> None:
    keep = Chain(tuple(order[:used]))
    whole = keep(matches)

    left = chain()(matches).kept
    for stage in order[:used]:
        left = stage(left, Asked()).kept
    assert whole.kept == left, "a chain is no more than its stages"
    assert keep(matches) == whole, "the second time is like the first"


@settings(max_examples=60)
@given(MATCHES, st.permutations(STAGES))
def test_nothing_is_lost_every_match_is_kept_or_dropped_by_a_named_stage(
    matches: tuple[Match, ...], order: list[Stage]
) -> None:
    selection = Chain(tuple(order))(matches)

    came_out = [*selection.kept, *(gone.match for gone in selection.dropped)]
    assert sorted(map(id, came_out)) == sorted(map(id, matches))
    assert all(gone.stage in {stage.name for stage in STAGES} for gone in selection.dropped)
    assert all(gone.because for gone in selection.dropped)


@given(MATCHES)
def test_filters_may_change_places(matches: tuple[Match, ...]) -> None:
    filters: tuple[Stage, ...] = (above(0.3), tagged(lang="en"))

    assert len({tuple(map(id, Chain(order)(matches).kept)) for order in permutations(filters)}) == 1


def test_a_selection_explains_itself() -> None:
    keep = chain(above(0.5), top(1), within_chars(3))
    selection = keep([match("one", 0.9), match("two", 0.8), match("far", 0.1)])

    assert selection.explain().splitlines() == [
        "kept 1 of 3",
        "  + 0.900  “one”",
        "  - 0.100  “far”: above, its closeness 0.1 is below the line: at least 0.5 (uncalibrated)",
        "  - 0.800  “two”: top, ranked below the first 1",
        "  within_chars: 3 of 3 chars",
    ]
    data = selection.to_data()
    assert data["kept"] == [{"text": "one", "closeness": 0.9}]
    assert [gone["stage"] for gone in data["dropped"]] == ["above", "top"]
    assert data["spent"] == [{"stage": "within_chars", "unit": "chars", "used": 3, "budget": 3}]


def test_many_queries_come_to_the_same_as_one_by_one(minilm: Encoder) -> None:
    keep = chain(above(0.1), distinct(0.9), diverse(0.5), top(2))
    queries = [
        ("When does the library close?", ["The library closes at 17.", "Bread is baked from flour."]),
        ("What is bread made of?", ["Bread is baked from flour.", "Flour makes bread.", "Cats sleep."]),
        ("Nobody has anything on this.", []),
    ]
    at_once = list(keep.each(matched_each(queries, minilm, at_once=2), Answerers(minilm)))

    assert at_once == [keep(matched(query, held, minilm), query=query) for query, held in queries]
    assert texts(at_once[0].kept) == ["The library closes at 17."]


def test_each_distinct_text_is_placed_once() -> None:
    encoder = Counting()
    held = ["one thing", "another thing", "one thing"]
    retrieved = list(matched_each([(f"query {n}", held) for n in range(20)], encoder, at_once=7))
    bare = [Retrieved(query, tuple(Match(m.text, m.closeness) for m in found)) for query, found in retrieved]
    assert sorted(encoder.asked) == sorted({*held, *(f"query {n}" for n in range(20))})

    encoder.asked.clear()
    list(chain(distinct(), diverse()).each(bare, Answerers(encoder), at_once=3))
    assert sorted(encoder.asked) == sorted(set(held))


def test_matches_that_bring_their_vectors_are_not_placed_again() -> None:
    encoder = Counting()
    found = matched("a query", ["one thing", "another thing"], encoder)
    encoder.asked.clear()
    chain(distinct(), diverse())(found, encoder=encoder)

    assert encoder.asked == []


def test_what_compares_with_the_query_says_that_there_is_none() -> None:
    with pytest.raises(MissingInput, match="`rerank` compares references with the query, and there is none"):
        chain(rerank())([match("a")], encoder=HashingEncoder())


class Gone(Around):
    """An encoder whose endpoint does not answer."""

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        raise Unreachable("nobody answers")


def test_an_encoder_that_is_not_there_is_an_error_and_not_an_empty_selection() -> None:
    near = [match("a"), match("b")]
    with pytest.raises(AnswererError, match="no encoder is set up"):
        chain(distinct())(near)
    for stage in (distinct(), diverse(), rerank()):
        with pytest.raises(Unreachable, match="nobody answers"):
            chain(stage)(near, query="a query", encoder=Gone(HashingEncoder()))
    with pytest.raises(Unreachable):
        matched("a query", ["a"], Gone(HashingEncoder()))


@pytest.mark.parametrize("wrong", [{"at_once": 0}, {"remember": -1}])
def test_sizes_that_mean_nothing_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(SpecError, match="wants at least"):
        list(chain().each([], **wrong))  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="wants at least"):
        list(matched_each([], HashingEncoder(), **wrong))
