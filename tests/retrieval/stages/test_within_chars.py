"""A budget of characters: exact at its boundary, and what it does with what does not fit."""

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Spent, Step
from sensecheck.retrieval.stage import StageContext
from sensecheck.retrieval.stages.limits import Over, cut_at, within_chars

TEXTS = st.lists(st.text("ab é\u0301\u200d👩", max_size=12), max_size=8)
BUDGETS = st.integers(1, 40)
POLICIES: tuple[Over, ...] = ("stop", "skip", "truncate")


def matches_of(*texts: str) -> tuple[Match, ...]:
    return tuple(Match(text, 1 - index / 100) for index, text in enumerate(texts))


def within(budget: int, *texts: str, over: Over = "stop") -> Step:
    return within_chars(budget, over=over)(matches_of(*texts), StageContext())


def kept(step: Step) -> list[str]:
    return [match.text for match in step.kept]


def by_the_rule(budget: int, texts: list[str]) -> list[str]:
    """The rule, written once more: until one more would be too much."""
    taken: list[str] = []
    for text in texts:
        if sum(map(len, taken)) + len(text) > budget:
            break
        taken.append(text)
    return taken


def test_exactly_at_the_budget_fits_and_one_more_does_not() -> None:
    assert kept(within(10, "12345", "12345")) == ["12345", "12345"]
    assert kept(within(9, "12345", "12345")) == ["12345"]
    assert kept(within(5, "12345", "1")) == ["12345"]
    assert kept(within(4, "12345")) == []


@given(BUDGETS, TEXTS)
def test_stop_keeps_what_the_rule_keeps(budget: int, texts: list[str]) -> None:
    assert kept(within(budget, *texts)) == by_the_rule(budget, texts)


@given(BUDGETS, TEXTS, st.sampled_from(POLICIES))
def test_no_policy_spends_more_than_there_is_or_loses_a_match(
    budget: int, texts: list[str], over: Over
) -> None:
    step = within(budget, *texts, over=over)

    spent = sum(len(text) for text in kept(step))
    assert step.spent == Spent("within_chars", "chars", spent, budget)
    assert spent <= budget
    assert len(step.kept) + len(step.dropped) == len(texts)
    originals = [{id(one.kept): one.match for one in step.cut}.get(id(match), match) for match in step.kept]
    assert sorted(
        [*originals, *(gone.match for gone in step.dropped)], key=lambda match: -match.closeness
    ) == [*matches_of(*texts)]


@given(BUDGETS, TEXTS)
def test_what_is_cut_is_a_beginning_and_the_last_one_kept(budget: int, texts: list[str]) -> None:
    step = within(budget, *texts, over="truncate")

    for one in step.cut:
        assert one.kept == step.kept[-1]
        assert one.kept.text == one.kept.text.rstrip() != ""
        assert one.match.text.startswith(one.kept.text)
        assert len(one.kept.text) < len(one.match.text)
    assert len(step.cut) <= 1
    assert kept(step)[: len(step.kept) - len(step.cut)] == by_the_rule(budget, texts)


def test_characters_are_counted_as_they_are_not_as_bytes() -> None:
    assert kept(within(4, "日本", "語🎉")) == ["日本", "語🎉"]


def test_stop_ends_at_the_first_that_does_not_fit_and_each_says_why() -> None:
    step = within(6, "1234", "12345", "12")

    assert kept(step) == ["1234"]
    assert [(gone.match.text, gone.stage, gone.because) for gone in step.dropped] == [
        ("12345", "within_chars", "with it 9 chars would be used; wanted at most 6"),
        ("12", "within_chars", "an earlier one did not fit whole, and the budget ends there"),
    ]


def test_skip_goes_on_to_those_that_fit() -> None:
    step = within(6, "1234", "12345", "12", "1", over="skip")

    assert kept(step) == ["1234", "12"]
    assert [gone.because for gone in step.dropped] == [
        "with it 9 chars would be used; wanted at most 6",
        "with it 7 chars would be used; wanted at most 6",
    ]
    assert step.spent == Spent("within_chars", "chars", 6, 6)


def test_truncate_keeps_whole_words_of_the_first_that_does_not_fit() -> None:
    step = within(30, "It opens at nine.", "The museum closes at five.", "x", over="truncate")

    assert kept(step) == ["It opens at nine.", "The museum"]
    assert step.spent == Spent("within_chars", "chars", 27, 30)
    assert [one.because for one in step.cut] == [
        "with it 43 chars would be used; wanted at most 30; kept are the first 10 of its 26 characters"
    ]
    assert [gone.match.text for gone in step.dropped] == ["x"]


def test_truncate_drops_what_there_is_no_room_for() -> None:
    step = within(4, "1234", "12345", over="truncate")

    assert kept(step) == ["1234"]
    assert not step.cut
    assert [gone.match.text for gone in step.dropped] == ["12345"]


def test_a_beginning_has_no_vector_and_the_closeness_of_the_whole() -> None:
    whole = Match("one two three", 0.8, source="a.md", metadata={"year": 2026}, vector=np.ones(3, np.float32))

    step = within_chars(8, over="truncate")([whole], StageContext())

    assert step.kept == (Match("one two", 0.8, source="a.md", metadata={"year": 2026}),)
    assert step.kept[0].vector is None
    assert step.cut[0].match is whole


@pytest.mark.parametrize(
    ("text", "end", "found"),
    [
        ("one two three", 7, "one two"),
        ("one two three", 8, "one two"),
        ("one two three", 99, "one two three"),
        ("one two three", 0, ""),
        ("a internationalisation", 10, "a internat"),
        ("日本語とカタカナ", 3, "日本語"),
        ("cafe\u0301s", 4, "caf"),
        ("ab👩\u200d👩\u200d👧cd", 4, "ab"),
        ("ab👋🏽cd", 3, "ab"),
        ("a" + "\u0301" * 200, 100, "a" + "\u0301" * 99),
        ("e\u0301", 1, ""),
        ("ab\ud83d\ude00cd", 3, "ab"),
        ("x" * 100 + " " + "y" * 100, 139, "x" * 100),
        ("x" * 100 + " " + "y" * 100, 142, "x" * 100 + " " + "y" * 41),
    ],
)
def test_a_cut_falls_between_words_that_are_near_and_never_within_a_character(
    text: str, end: int, found: str
) -> None:
    assert cut_at(text, end) == found


def test_nothing_comes_of_nothing() -> None:
    assert within(5) == Step((), spent=Spent("within_chars", "chars", 0, 5))


def test_in_a_chain_the_closest_are_paid_for_first() -> None:
    found = chain(within_chars(4))([Match("far", 0.1), Match("near", 0.9)])

    assert [match.text for match in found.kept] == ["near"]
    assert found.spent == (Spent("within_chars", "chars", 4, 4),)
    assert "within_chars: 4 of 4 chars" in found.explain()


@pytest.mark.parametrize("size", [0, -1, float("nan")])
def test_a_budget_of_nothing_is_refused(size: Any) -> None:
    with pytest.raises(SpecError, match=r"`within_chars` must be at least 1; got"):
        within_chars(size)


def test_an_unknown_policy_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(SpecError, match="`trunc` is not a known value of `over`; did you mean `truncate`"):
        within_chars(5, over=cast(Over, "trunc"))
