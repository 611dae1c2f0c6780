"""A budget of tokens: the block as it stands in the prompt never has more."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from sensecheck.core.errors import SpecError
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.encoders.token_counter import token_counter
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.prompt import Block
from sensecheck.retrieval.selection import Spent
from sensecheck.retrieval.stage import StageContext
from sensecheck.retrieval.stages.limits import Counter, Over, cut_at, longest_beginning, within_tokens

COUNTER = token_counter("minilm")
SENTENCES = (
    "The museum opens at half past nine on weekdays, and at ten on Sundays.",
    "Antidisestablishmentarianism is seldom met with outside of spelling competitions.",
    "Café Ångström serves naïve résumés; la Straße is closed.",
    "日本語の文章には空白がありませんので、どこで切るかを考えなければなりません。",
    'if (a < b && c > d) { return "</references>"; }  // hostile & odd: &lt; 🎉👩‍👩‍👧',
    "Tickets cost £12.50; children under six are admitted free of charge with an adult.",
)
POLICIES: tuple[Over, ...] = ("stop", "skip", "truncate")
LISTS = st.lists(st.sampled_from(SENTENCES), max_size=6)


def matches_of(*texts: str, source: str = "") -> tuple[Match, ...]:
    return tuple(Match(text, 1 - index / 100, source=source) for index, text in enumerate(texts))


def tokens_of(matches: Sequence[Match]) -> int:
    return COUNTER(Block()(matches))


def by_the_rule(budget: int, matches: Sequence[Match], counter: Counter) -> tuple[Match, ...]:
    """The rule, written once more: until the block with one more would be too long."""
    taken: tuple[Match, ...] = ()
    for match in matches:
        if counter(Block()((*taken, match))) > budget:
            break
        taken = (*taken, match)
    return taken


@settings(deadline=None)
@given(st.integers(1, 300), LISTS)
def test_stop_keeps_what_the_rule_keeps(budget: int, texts: list[str]) -> None:
    matches = matches_of(*texts, source="guide.md")

    assert within_tokens(budget, COUNTER)(matches, StageContext()).kept == by_the_rule(
        budget, matches, COUNTER
    )


@settings(deadline=None)
@given(st.integers(1, 300), LISTS, st.sampled_from(POLICIES))
def test_the_block_never_has_more_tokens_than_the_budget(budget: int, texts: list[str], over: Over) -> None:
    step = within_tokens(budget, COUNTER, over=over)(matches_of(*texts), StageContext())

    assert tokens_of(step.kept) <= budget
    assert step.spent == Spent("within_tokens", "tokens", tokens_of(step.kept), budget)
    assert len(step.kept) + len(step.dropped) == len(texts)


@settings(deadline=None)
@given(st.integers(1, 60), LISTS, st.sampled_from(POLICIES), st.integers(1, 97))
def test_not_even_where_counts_jump_about(budget: int, texts: list[str], over: Over, odd: int) -> None:
    def jumping(text: str) -> int:
        return len(text) * 31 % odd if text else 0

    step = within_tokens(budget, jumping, over=over)(matches_of(*texts), StageContext())

    assert jumping(Block()(step.kept)) <= budget
    assert step.spent == Spent("within_tokens", "tokens", jumping(Block()(step.kept)), budget)
    assert len(step.kept) + len(step.dropped) == len(texts)


def test_exactly_at_the_budget_fits_and_one_less_does_not() -> None:
    matches = matches_of(*SENTENCES)
    exactly = tokens_of(matches[:3])

    assert within_tokens(exactly, COUNTER)(matches, StageContext()).kept == matches[:3]
    assert within_tokens(exactly - 1, COUNTER)(matches, StageContext()).kept == matches[:2]


def test_what_is_written_around_the_references_is_paid_for() -> None:
    alone = COUNTER(SENTENCES[0])

    assert within_tokens(alone, COUNTER)(matches_of(SENTENCES[0]), StageContext()).kept == ()


def test_a_budget_counts_the_block_that_it_is_told_of() -> None:
    def listed(kept: Sequence[Match]) -> str:
        return "\n".join(f"- {match.text}" for match in kept)

    step = within_tokens(50, COUNTER, formatted=listed)(matches_of(*SENTENCES), StageContext())

    assert step.spent == Spent("within_tokens", "tokens", COUNTER(listed(step.kept)), 50)
    assert len(step.kept) == 3
    assert len(within_tokens(50, COUNTER)(matches_of(*SENTENCES), StageContext()).kept) == 1


def test_skip_goes_on_to_those_that_fit() -> None:
    matches = matches_of("short one", " ".join(SENTENCES), "short two")

    step = within_tokens(tokens_of((matches[0], matches[2])), COUNTER, over="skip")(matches, StageContext())

    assert step.kept == (matches[0], matches[2])
    assert [gone.match for gone in step.dropped] == [matches[1]]
    assert step.dropped[0].because.startswith(
        f"with it {tokens_of(matches[:2])} tokens would be used; wanted"
    )


@pytest.mark.parametrize("text", SENTENCES)
def test_truncate_fills_the_block_and_cuts_no_word_in_two(text: str) -> None:
    whole = Match(text, 0.5, vector=np.ones(2, np.float32))
    budget = tokens_of([whole]) - COUNTER(text) // 2

    step = within_tokens(budget, COUNTER, over="truncate")([whole], StageContext())

    begun = step.kept[0].text
    rest = text.removeprefix(begun)
    assert rest not in ("", text)
    assert rest[0].isspace() or " " not in begun[-40:]
    assert step.kept[0].vector is None
    assert step.kept[0].closeness == 0.5
    assert step.cut[0].match is whole
    longer = begun + rest[: len(rest) - len(rest.lstrip())] + (rest.split() if " " in text else rest)[0]
    assert tokens_of([Match(longer, 0.5)]) > budget


@given(st.sampled_from(SENTENCES), st.integers(0, 100))
def test_no_longer_beginning_would_have_fitted(text: str, room: int) -> None:
    found = longest_beginning(text, lambda begun: len(begun) <= room)

    every = [cut_at(text, end) for end in range(len(text))]
    assert found == max((begun for begun in every if len(begun) <= room), key=len)


def test_what_leaves_no_room_for_a_beginning_is_dropped() -> None:
    step = within_tokens(10, COUNTER, over="truncate")(matches_of(*SENTENCES), StageContext())

    assert step.kept == ()
    assert step.cut == ()
    assert len(step.dropped) == len(SENTENCES)
    assert step.spent == Spent("within_tokens", "tokens", 0, 10)


def test_any_callable_counts_such_as_another_librarys_tokenizer() -> None:
    theirs = tokenizers.Tokenizer.from_file(str(packaged(MINILM) / "tokenizer.json"))
    theirs.no_truncation()
    theirs.no_padding()
    matches = matches_of(*SENTENCES)

    step = within_tokens(150, lambda text: len(theirs.encode(text, add_special_tokens=False).ids))(
        matches, StageContext()
    )

    assert step.kept == within_tokens(150, COUNTER)(matches, StageContext()).kept == matches[: len(step.kept)]
    assert 0 < len(step.kept) < len(matches)


def test_a_budget_too_small_for_what_is_said_of_nothing_is_refused() -> None:
    stage = within_tokens(5, COUNTER, formatted=Block(empty="say"))

    with pytest.raises(
        SpecError, match=r"at most 5 tokens, and the block without any reference has 11; allow"
    ):
        stage((), StageContext())


@pytest.mark.parametrize(
    ("gives", "told"),
    [(2.0, "gave a float"), (None, "gave a NoneType"), (True, "gave a bool"), (-1, "gave -1; wanted 0 or")],
)
def test_a_counter_that_does_not_count_is_refused(gives: Any, told: str) -> None:
    with pytest.raises(SpecError, match=f"the counter of `within_tokens` {told}"):
        within_tokens(5, lambda _: cast(int, gives))(matches_of("text"), StageContext())


def test_what_cannot_be_called_is_no_counter() -> None:
    with pytest.raises(SpecError, match=r"`within_tokens` must be a counter, .* got str"):
        within_tokens(5, cast(Counter, "minilm"))


def test_a_budget_of_nothing_and_an_unknown_policy_are_refused() -> None:
    with pytest.raises(SpecError, match="`within_tokens` must be at least 1; got 0"):
        within_tokens(0, COUNTER)
    with pytest.raises(SpecError, match="`stopp` is not a known value of `over`; did you mean `stop`"):
        within_tokens(5, COUNTER, over=cast(Over, "stopp"))
