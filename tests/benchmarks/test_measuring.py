"""The benchmarks' own arithmetic."""

import math
import random

import pytest
from benchmarks.quality.intervals import clopper_pearson
from benchmarks.quality.loops import loop_of, paragraphs
from benchmarks.speed.bare import batches_of_32
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import race
from benchmarks.speed.texts import sentences


@pytest.mark.parametrize("n", [1, 10, 59, 299, 500])
def test_no_hit_has_the_closed_form_of_the_exact_interval(n: int) -> None:
    assert clopper_pearson(0, n) == pytest.approx((0.0, 1 - 0.025 ** (1 / n)), abs=1e-9)
    assert clopper_pearson(n, n) == pytest.approx((0.025 ** (1 / n), 1.0), abs=1e-9)


@pytest.mark.parametrize(("hits", "n"), [(1, 2), (3, 10), (50, 100), (237, 500), (499, 500)])
def test_the_interval_leaves_half_of_its_doubt_on_each_side(hits: int, n: int) -> None:
    low, high = clopper_pearson(hits, n)

    def chance(k: int, share: float) -> float:
        return math.comb(n, k) * share**k * (1 - share) ** (n - k)

    assert math.fsum(chance(k, low) for k in range(hits, n + 1)) == pytest.approx(0.025, abs=1e-6)
    assert math.fsum(chance(k, high) for k in range(hits + 1)) == pytest.approx(0.025, abs=1e-6)


def test_a_goal_may_be_missed_by_noise_and_broken_by_more() -> None:
    fast, small = Goal(0.95, "above"), Goal(1.5, "below")

    assert fast.met(0.95)
    assert not fast.met(0.94)
    assert [fast.broken(ratio) for ratio in (0.94, 0.82, 0.80)] == [False, False, True]
    assert [small.broken(ratio) for ratio in (1.4, 1.7, 1.8)] == [False, False, True]


def test_the_median_of_the_rounds_is_measured() -> None:
    found = Measured.of("a", "b", ratios=[0.9, 5.0, 1.0], goal=Goal(0.95, "above"))

    assert (found.ratio, found.low, found.high, found.met) == (1.0, 0.9, 5.0, True)
    assert Measured.of("a", "b", ratios=[1.0]).met is None


def test_each_round_begins_with_another_contestant() -> None:
    order: list[str] = []
    spent = race({name: (lambda name=name: order.append(name)) for name in "abc"}, 3)  # type: ignore[misc]

    assert "".join(order) == "abcbcacab"
    assert {name: len(times) for name, times in spent.items()} == {"a": 3, "b": 3, "c": 3}


def test_a_loop_says_the_same_three_times_over() -> None:
    text = "The sun rose. Birds sang. A dog barked. Nobody woke."
    looped = loop_of(text, random.Random(1))
    third = len(looped) // 3

    assert looped[:third] == looped[third + 1 : 2 * third + 1]
    assert looped[:third].strip() in text
    assert list(paragraphs([text, "Too short.", text])) == [text]


def test_sentences_are_mostly_different_and_the_same_every_time() -> None:
    once = list(sentences(2000))

    assert once == list(sentences(2000))
    assert len(set(once)) > 1800


def test_every_text_is_in_one_batch_longest_first() -> None:
    lengths = [random.Random(i).randint(3, 256) for i in range(70)]
    batches = list(batches_of_32(lengths))

    assert [len(batch) for batch in batches] == [32, 32, 6]
    assert sorted(i for batch in batches for i in batch) == list(range(70))
    assert lengths[batches[0][0]] == max(lengths)
