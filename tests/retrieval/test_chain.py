"""A chain is its stages, one after the other, and nothing besides."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensecheck.core.backends import Backends, Embedding, Encoder
from sensecheck.core.cutoff import Certificate, Cutoff
from sensecheck.core.errors import (
    BackendError,
    EncoderError,
    MissingInput,
    SampleError,
    SpecError,
    StaleCutoff,
    Unreachable,
    Unreadable,
)
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.wrappers import EncoderWrapper
from sensecheck.retrieval import (
    Chain,
    Match,
    NotSelected,
    Retrieved,
    Selection,
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
from sensecheck.retrieval.match import require_matches
from sensecheck.retrieval.selection import Step
from sensecheck.retrieval.stage import Stage, StageContext
from sensecheck.sense import Sense
from tests.conftest import Counting
from tests.examples import examples
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


@settings(max_examples=examples(60))
@given(MATCHES, st.permutations(STAGES), st.integers(0, len(STAGES)))
def test_stages_compose_in_any_order_without_hidden_state(
    matches: tuple[Match, ...], order: list[Stage], used: int
) -> None:
    keep = Chain(tuple(order[:used]))
    whole = keep(matches)

    left = chain()(matches).kept
    for stage in order[:used]:
        left = stage(left, StageContext()).kept
    assert whole.kept == left, "a chain is no more than its stages"
    assert keep(matches) == whole, "the second time is like the first"


@settings(max_examples=examples(60))
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
        "  - 0.100  “far”: above, its similarity 0.1 is below the cutoff: at least 0.5 (uncalibrated)",
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
    batch_size = list(keep.each(matched_each(queries, minilm, batch_size=2), Backends(minilm)))

    assert batch_size == [keep(matched(query, held, minilm), query=query) for query, held in queries]
    assert isinstance(batch_size[0], Selection)
    assert texts(batch_size[0].kept) == ["The library closes at 17."]


def test_each_distinct_text_is_placed_once() -> None:
    encoder = Counting()
    held = ["one thing", "another thing", "one thing"]
    retrieved = list(matched_each([(f"query {n}", held) for n in range(20)], encoder, batch_size=7))
    bare = [
        Retrieved(f"query {n}", tuple(Match(m.text, m.closeness) for m in require_matches(one)))
        for n, one in enumerate(retrieved)
    ]
    assert sorted(encoder.asked) == sorted({*held, *(f"query {n}" for n in range(20))})

    encoder.asked.clear()
    list(chain(distinct(), diverse()).each(bare, Backends(encoder), batch_size=3))
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


class Gone(EncoderWrapper):
    """An encoder whose endpoint does not answer."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        raise Unreachable("nobody answers")


def test_an_encoder_that_is_not_there_is_an_error_and_not_an_empty_selection() -> None:
    near = [match("a"), match("b")]
    advice = "`distinct` compares texts, and no encoder is set up .*; pass `encoder=`, or use `sense.guard`"
    with pytest.raises(BackendError, match=advice):
        chain(distinct())(near)
    for stage in (distinct(), diverse(), rerank()):
        with pytest.raises(Unreachable, match="nobody answers"):
            chain(stage)(near, query="a query", encoder=Gone(HashingEncoder()))
    with pytest.raises(Unreachable):
        matched("a query", ["a"], Gone(HashingEncoder()))


class Refusing(EncoderWrapper):
    """An encoder that reads texts of one letter, and refuses all others: its key has run out, say."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        if any(len(text) > 1 for text in texts):
            raise EncoderError("refused with 401")
        return self._inner.encode(texts, tokens=tokens)


def test_an_encoder_that_refuses_everything_is_an_error_too() -> None:
    refusing = Refusing(HashingEncoder())
    for stage in (distinct(), diverse(), rerank()):
        with pytest.raises(EncoderError, match="refused with 401"):
            chain(stage)([match("one"), match("two")], query="a query", encoder=refusing)
    one_is_read = chain(distinct())([match("1"), match("two")], encoder=refusing)
    assert texts(one_is_read.kept) == ["1"]
    assert "refused with 401" in one_is_read.dropped[0].because


class Short(EncoderWrapper):
    """An encoder that refuses long texts, as endpoints do, and works."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        if any(len(text) > 20 for text in texts):
            raise EncoderError("the text is too long")
        return self._inner.encode(texts, tokens=tokens)


def test_an_encoder_that_refuses_all_of_one_query_holds_up_nobody() -> None:
    queries = [("a query", ["a text"]), ("a query " * 9, ["a text " * 9]), ("another", ["a text"])]
    found = list(chain(top(1)).each(matched_each(queries, Short(HashingEncoder()), batch_size=1)))

    assert [type(one) for one in found] == [Selection, NotSelected, Selection]


def test_a_reference_that_cannot_be_read_stands_apart_and_holds_up_nobody(minilm: Encoder) -> None:
    held = ["", "The library closes at 17.", "\u56fe\u4e66\u9986\u4e94\u70b9\u5173\u95e8"]
    queries = [("When does the library close?", held), (" ", held), ("Is it open?", held)]
    found = list(chain(above(0.3)).each(matched_each(queries, minilm)))

    assert isinstance(found[0], Selection)
    assert texts(found[0].kept) == ["The library closes at 17."]
    assert [(one.place, one.text) for one in found[0].unread] == [(0, ""), (2, held[2])]
    assert "kept 1 of 3" in found[0].explain()
    assert "? \u201c\u201d: cannot be read: the text is empty" in found[0].explain()
    assert isinstance(found[1], NotSelected)
    assert found[1].because == "the query cannot be read: the text is empty"
    assert isinstance(found[2], Selection)
    with pytest.raises(Unreadable, match="reference 0, counted from 0, cannot be read"):
        matched("When does the library close?", held, minilm)


def test_what_cannot_be_judged_does_not_hold_up_the_others() -> None:
    line = Cutoff(0.5, "above", certificate=Certificate("labels", encoder="mine"))
    near = (Match("a", 0.9, encoder="mine"),)
    strange = (Match("a", 0.9, encoder="yours"),)
    retrieved = [Retrieved("1", near), Retrieved("2", strange), Retrieved("3", near)]
    found = list(chain(above(line), distinct(), top(1)).each(retrieved, Backends(HashingEncoder())))

    assert [type(one) for one in found] == [Selection, NotSelected, Selection]
    assert isinstance(found[1], NotSelected)
    assert isinstance(found[1].error, StaleCutoff)


def test_a_stage_that_loses_a_match_is_found_out() -> None:
    class Losing:
        name = "losing"

        def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
            return Step(tuple(matches[:1]))

    with pytest.raises(SpecError, match="`losing` was given 2 matches, and kept 1 and dropped 0"):
        chain(Losing())([match("a"), match("b")])


def test_references_may_come_as_any_iterable_and_must_be_texts_or_matches(sense: Sense) -> None:
    selection = sense.guard("a query", (text for text in ["a text", "a query"]), chain(top(1)))
    assert texts(selection.kept) == ["a query"]

    with pytest.raises(SampleError, match="a chain takes matches; got str"):
        chain()(["a text"])  # type: ignore[list-item]
    for stage in ([top(1)], top, "top"):
        with pytest.raises(SpecError, match="stage 0 of `chain` must be callable and have a name"):
            chain(stage)  # type: ignore[arg-type]
    for wrong in ("one text", [5], [("a text", 0.5)], [None, "a text"]):
        with pytest.raises(SampleError, match=r"must be a list|must be a string or a match"):
            sense.guard("a query", wrong, chain())  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"batch_size": 0}, {"cache_size": -1}])
def test_sizes_that_mean_nothing_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(SpecError, match="must be at least"):
        list(chain().each([], **wrong))  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="must be at least"):
        list(matched_each([], HashingEncoder(), **wrong))
