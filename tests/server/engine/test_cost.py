"""What jobs are estimated to cost, and how fast a worker is thought to be."""

import time

import pytest

from sensecheck.server.engine.cost import EVIDENCE_TOKENS, PAIR_WEIGHT, Pace, cost_of, tokens_of
from sensecheck.server.engine.jobs import CheckJob, ExtractJob
from tests.pace import usual_seconds

LONG = "The museum opens at nine. " * 100
WORST = ("D. E. F! " * 3000, "Das ist so. " * 1000, "好" * 10_000, "The museum opens at nine. " * 400)


@pytest.mark.parametrize("policy", ["default", "strict@2"])
def test_a_cross_encoder_costs_more_than_words(policy: str) -> None:
    by_words, read = (CheckJob(LONG, (LONG,), policy=name) for name in ("fast", policy))

    assert cost_of(read) > 5 * cost_of(by_words)


def test_what_a_cross_encoder_costs_follows_the_claims_and_their_evidence() -> None:
    few, many = "It opens at nine on every day of the week. " * 2, "It opens at nine. " * 5
    short = "The museum opens at nine."

    assert cost_of(CheckJob(many, (LONG,))) > 2 * cost_of(CheckJob(few, (LONG,)))
    assert cost_of(CheckJob(few, (short,))) < 0.2 * cost_of(CheckJob(few, (LONG,)))


def test_claims_that_are_not_read_cost_nothing() -> None:
    all_of_them, ten = (CheckJob(LONG, (LONG,), max_claims=most) for most in (0, 10))

    saved = cost_of(all_of_them) - cost_of(ten)
    assert saved == pytest.approx(90 * (PAIR_WEIGHT * EVIDENCE_TOKENS + 0.1 * 101))


@pytest.mark.parametrize("text", WORST)
def test_cost_is_linear_in_the_passage(text: str) -> None:
    def cost(length: int) -> float:
        job = CheckJob("It opens at nine.", (text[:length],), policy="fast")
        return cost_of(job) + cost_of(ExtractJob("When?", text[:length]))

    start, half, whole = (cost(length) for length in (0, 5_000, 10_000))
    assert whole - start == pytest.approx(2 * (half - start), rel=0.02)


def test_many_short_sentences_cost_more_than_a_few_long_ones() -> None:
    short = "So it is. " * 200
    long = "so it is " * 200 + "."

    assert cost_of(ExtractJob("Is it so?", short)) > 1.5 * cost_of(ExtractJob("Is it so?", long))


def test_costs_are_told_at_once() -> None:
    jobs = [ExtractJob("When?", f"{at} {'It is so. ' * 1000}"[:10_000]) for at in range(6)]
    begun = time.thread_time()
    for job in jobs:
        cost_of(job)

    assert usual_seconds(begun) < 0.05


def test_languages_without_spaces_have_a_token_for_each_character() -> None:
    assert tokens_of("word " * 100) == 100
    assert tokens_of("博物館は九時に開く") == 9
    assert tokens_of("D. E. F! ") == 6
    assert tokens_of("\ud800") == 1


def test_the_pace_follows_what_happens() -> None:
    pace = Pace(1000.0)
    for _ in range(100):
        pace.learn(100.0, 1.0)
    assert 95 < pace.per_second < 110
    for _ in range(100):
        pace.learn(1000.0, 0.5)
    assert 1700 < pace.per_second <= 2000
    assert pace.seconds(pace.per_second) == 1.0
