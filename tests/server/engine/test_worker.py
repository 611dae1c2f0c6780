"""Pairs that several requests ask about are scored together, each once."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import get_native_id

import pytest

from sensecheck.calibration.library import CardLibrary
from sensecheck.core.backends import Backends, Encoder
from sensecheck.sense import Sense
from sensecheck.server.engine.jobs import CheckJob
from sensecheck.server.engine.worker import LARGE_NICENESS, BatchJudge, Policies, yield_to_small_jobs
from tests.scorers import CountingScorer

PASSAGE = "The Halden reservoir was built in 1931 by the engineer Ruth Abel. It feeds three towns."
ANSWERS = (
    "Ruth Abel, the engineer, built the Halden reservoir in 1931.",
    "In 1931 the reservoir was built by Ruth Abel.",
    "The three towns are fed by the Halden reservoir.",
)


def judging_with(encoder: Encoder, scorer: CountingScorer) -> BatchJudge:
    return BatchJudge(Sense(Backends(encoder, scorer)), Policies(CardLibrary.shipped()))


@pytest.mark.core
def test_pairs_of_several_requests_are_scored_in_one_call_each_once(minilm: Encoder) -> None:
    scorer = CountingScorer()
    judging = judging_with(minilm, scorer)
    jobs = [CheckJob(answer, (PASSAGE,), policy="strict") for answer in (*ANSWERS, *ANSWERS[:2])]
    judging.results(jobs)

    (together,) = scorer.calls
    assert len(together) == len(set(together)) == 3
    alone = CountingScorer()
    for job in jobs[:3]:
        one = judging_with(minilm, alone)
        one.results([job])
    assert sorted(alone.asked) == sorted(together)


def test_a_pair_of_a_later_request_is_remembered(minilm: Encoder) -> None:
    scorer = CountingScorer()
    judging = judging_with(minilm, scorer)
    first, more = ([CheckJob(one, (PASSAGE,), policy="strict") for one in ANSWERS[:n]] for n in (2, 3))
    judging.results(first)
    judging.results(more)

    assert [len(call) for call in scorer.calls] == [2, 1]


def test_a_claim_that_stands_in_the_passages_word_for_word_asks_nobody(minilm: Encoder) -> None:
    scorer = CountingScorer()
    judging = judging_with(minilm, scorer)
    judging.results([CheckJob("It feeds three towns.", (PASSAGE,), policy="strict")])

    assert scorer.calls == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority per thread")
def test_the_slot_for_large_jobs_yields_to_the_one_for_small_jobs() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, get_native_id())

    with ThreadPoolExecutor(1, initializer=yield_to_small_jobs) as large:
        assert large.submit(priority).result() == min(19, priority() + LARGE_NICENESS)
