"""Asked first, placed once, decided in order: the staircase."""

import random
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.combine import AllOf, Cascade
from sensecheck.checks.gate import Gate
from sensecheck.checks.presets import REFUSAL_EXEMPLARS
from sensecheck.core.backends import Backends, Embedding, Encoder, PairScore
from sensecheck.core.cutoff import at_least, at_most
from sensecheck.core.errors import BackendError, EncoderError, SpecError, UndeclaredNeed, Unreachable
from sensecheck.core.needs import Needs, Prompt
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.exemplars import NearestExemplar
from sensecheck.measures.similarity import Similarity
from tests.conftest import Counting
from tests.scorers import CountingScorer

ROOT = Path(__file__).parents[2]
TWENTY = NearestExemplar(REFUSAL_EXEMPLARS[:20])
REFUSAL = Gate(TWENTY, at_most(0.4))


def answers(count: int) -> list[Sample]:
    """Answers of many kinds, with repeats."""
    dice = random.Random(7)
    openings = [
        "Sure,",
        "I'm sorry, but I can't help with that:",
        "Of course:",
        "No, I can't, since",
        "Well,",
        "As an AI, I think",
    ]
    subjects = ["the train", "this recipe", "a lock", "the medicine", "your essay", "the budget", "my code"]
    verbs = ["leaves at nine", "needs two eggs", "cannot be opened", "is not for children", "ends too soon"]
    return [
        Sample(f"{dice.choice(openings)} {dice.choice(subjects)} {dice.choice(verbs)}.", id=str(i))
        for i in range(count)
    ]


def test_a_thousand_answers_are_the_same_in_any_order_and_batch_and_each_text_is_encoded_once(
    minilm: Encoder,
) -> None:
    samples = answers(1000)
    distinct = {sample.answer for sample in samples} | set(TWENTY.exemplars)
    first = {v.sample: v for v in assess(((s, REFUSAL) for s in samples), Backends(minilm))}

    for seed, batch_size in ((1, 1000), (2, 64), (3, 7)):
        shuffled = random.Random(seed).sample(samples, len(samples))
        counting = Counting(minilm)
        verdicts = list(assess(((s, REFUSAL) for s in shuffled), Backends(counting), batch_size=batch_size))

        assert sorted(counting.asked) == sorted(distinct)
        assert [v.sample for v in verdicts] == [s.id for s in shuffled]
        for verdict in verdicts:
            before = first[verdict.sample]
            assert verdict.outcome == before.outcome
            assert verdict.reading is not None
            assert before.reading is not None
            assert verdict.reading.value == pytest.approx(before.reading.value, abs=1e-5)
    assert {v.outcome for v in first.values()} == {"pass", "fail"}


def test_it_streams_and_takes_only_what_it_works_on() -> None:
    taken: list[int] = []

    def endless() -> Iterator[tuple[Sample, Gate]]:
        for i in range(10**9):
            taken.append(i)
            yield Sample(f"answer {i}"), REFUSAL

    stream = assess(endless(), Backends(HashingEncoder()), batch_size=10)
    next(stream)

    assert len(taken) == 10


@pytest.mark.slow
def test_memory_is_flat_in_the_number_of_samples() -> None:
    def peak(count: int) -> int:
        cases = ((Sample(f"answer number {i}"), REFUSAL) for i in range(count))
        tracemalloc.start()
        for _ in assess(cases, Backends(HashingEncoder(2048)), batch_size=200, cache_size=1000):
            pass
        _, high = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return high

    peak(3000)
    assert peak(12_000) < 1.1 * peak(3000)


class Dead:
    """An encoder whose endpoint does not answer."""

    name = "dead"
    dimension = 3

    @property
    def fingerprint(self) -> str:
        raise Unreachable("nobody answers at the endpoint")

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        raise Unreachable("nobody answers at the endpoint")


def test_an_endpoint_that_does_not_answer_is_an_error_for_each_sample_and_the_run_goes_on() -> None:
    verdicts = list(assess([(Sample("a"), REFUSAL), (Sample("b"), REFUSAL)], Backends(Dead())))

    assert [v.outcome for v in verdicts] == ["error", "error"]
    assert verdicts[0].because == "nobody answers at the endpoint"


class Picky(Counting):
    """An encoder that refuses a batch for one text in it, and gives no tokens."""

    tokens_asked: tuple[str, ...] = ()

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        if tokens:
            self.tokens_asked += tuple(texts)
            raise EncoderError("no token vectors here")
        if "refused" in texts:
            raise EncoderError("this text is refused")
        placed = super().encode(texts)
        broken = placed[0].vector * np.float32("nan")
        return [replace(p, vector=broken) if t == "nan" else p for t, p in zip(texts, placed, strict=True)]


@pytest.mark.parametrize("batch_size", [1, 2, 3, 10])
@pytest.mark.parametrize("bad", ["refused", "nan"])
def test_one_text_that_the_encoder_refuses_does_not_fail_those_beside_it(batch_size: int, bad: str) -> None:
    cases = [(Sample(text), REFUSAL) for text in ("a", bad, "b", "c")]
    verdicts = list(assess(cases, Backends(Picky()), batch_size=batch_size))

    assert [v.outcome for v in verdicts] == ["pass", "error", "pass", "pass"]


def test_a_text_without_token_vectors_can_still_be_read_as_a_whole() -> None:
    parts = Backends(Picky(), Scores(), Agrees())
    whole, words = assess([(Sample("a"), REFUSAL), (Sample("a"), Gate(Asks()))], parts)
    unsure = Gate(Similarity("a b"), at_least(0.5, doubt=(-1, 1)))
    second = next(assess([(Sample("a"), Cascade((unsure, Gate(Asks()))))], parts))

    assert whole.outcome == "pass"
    assert (words.outcome, words.because) == ("error", "no token vectors here")
    assert second.outcome == "error"


def test_an_encoder_that_ignores_the_wish_for_tokens_is_noticed() -> None:
    class Ignores(Counting):
        def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
            return super().encode(texts)

    verdict = next(assess([(Sample("a"), Gate(Asks()))], Backends(Ignores(), Scores(), Agrees())))

    assert verdict.because == "the encoder gave no token vectors"


@pytest.mark.parametrize("wrong", [{"batch_size": 0}, {"cache_size": -1}])
def test_a_size_that_means_nothing_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(SpecError, match="must be at least"):
        next(assess([(Sample("a"), REFUSAL)], Backends(Counting()), **wrong))


@pytest.mark.slow
def test_two_processes_give_the_same_bytes_for_a_thousand_answers() -> None:
    script = (
        "from sensecheck.checks.assess import assess\n"
        "from sensecheck.core.backends import Backends\n"
        "from sensecheck.core.loading import load_encoder\n"
        "from tests.checks.test_assess import REFUSAL, answers\n"
        "for v in assess(((s, REFUSAL) for s in answers(1000)), Backends(load_encoder('minilm'))):\n"
        "    print(v.to_json())\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=ROOT, check=True).stdout
        for _ in range(2)
    ]

    assert runs[0] == runs[1]
    assert runs[0].count(b"\n") == 1000


def test_a_text_that_cannot_be_read_spoils_only_its_own_sample() -> None:
    verdicts = list(assess([(Sample(""), REFUSAL), (Sample("b"), REFUSAL)], Backends(HashingEncoder())))

    assert [v.outcome for v in verdicts] == ["error", "pass"]


@dataclass(frozen=True)
class Asks:
    """A measure that asks a judge, and tokens, and a pair."""

    name: str = "asks"

    def needs(self, sample: Sample) -> Needs:
        return Needs(tokens=(sample.answer,), pairs=((sample.answer, "e"),), prompts=(Prompt(sample.answer),))

    def read(self, sample: Sample, space: Space) -> Reading:
        words = len(space.tokens(sample.answer).spans)
        score = space.pair(sample.answer, "e").value
        return Reading(words + score, space.reply(Prompt(sample.answer)))


@dataclass(frozen=True)
class Pair:
    """A measure that asks for the score of one pair."""

    name: str = "pair"

    def needs(self, sample: Sample) -> Needs:
        return Needs(pairs=((sample.answer, "e"),))

    def read(self, sample: Sample, space: Space) -> Reading:
        return Reading(space.pair(sample.answer, "e").value, "its score")


class Scores:
    fingerprint = "scores:1"

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        return [PairScore(0.5) for _ in pairs]


class Agrees:
    fingerprint = "agrees:1"

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str]:
        self.asked += prompts
        return [f"I agree: {prompt.user}" for prompt in prompts]


def test_all_four_kinds_of_need_are_answered() -> None:
    parts = Backends(HashingEncoder(), Scores(), Agrees())
    verdict = next(assess([(Sample("two words"), Gate(Asks()))], parts))

    assert verdict.reading == Reading(2.5, "I agree: two words")
    assert verdict.fingerprint == "hashing:256:1+scores:1+agrees:1"


def test_a_pair_is_scored_once_over_all_batches_and_pairs_of_a_batch_together() -> None:
    scorer = CountingScorer()
    answers = ["one", "two", "one", "three", "two", "one"]
    cases = [(Sample(answer), Gate(Asks())) for answer in answers]
    verdicts = list(assess(cases, Backends(HashingEncoder(), scorer, Agrees()), batch_size=2))

    assert scorer.calls == [[("one", "e"), ("two", "e")], [("three", "e")]]
    wanted = [1 + CountingScorer().score([(answer, "e")])[0].value for answer in answers]
    assert [verdict.reading and verdict.reading.value for verdict in verdicts] == wanted


def test_one_pair_that_is_refused_does_not_fail_those_beside_it() -> None:
    cases = [(Sample(answer), Gate(Pair())) for answer in ("one", "", "two")]
    verdicts = list(assess(cases, Backends(pairs=CountingScorer())))

    assert [verdict.outcome for verdict in verdicts] == ["measured", "error", "measured"]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (Backends(), "no encoder"),
        (Backends(HashingEncoder()), "no cross-encoder"),
        (Backends(HashingEncoder(), Scores()), "no judge"),
    ],
)
def test_a_need_that_nobody_answers_is_an_error_that_says_so(parts: Backends, said: str) -> None:
    verdict = next(assess([(Sample("two words"), Gate(Asks()))], parts))

    assert verdict.outcome == "error"
    assert said in verdict.because


def test_a_second_opinion_is_asked_for_only_where_the_first_is_unsure() -> None:
    judge = Agrees()
    first = Gate(Similarity(), at_least(0.5, doubt=(0.2, 0.8)))
    check = Cascade((first, Gate(Asks(), at_least(0))))
    samples = [
        Sample("red apples", expected="red apples"),
        Sample("red apples", expected="blue seas"),
        Sample("red apples", expected="red seas"),
    ]
    verdicts = list(assess(((s, check) for s in samples), Backends(HashingEncoder(), Scores(), judge)))

    assert [len(v.parts) for v in verdicts] == [1, 1, 2]
    assert [v.outcome for v in verdicts] == ["pass", "fail", "pass"]
    assert judge.asked == [Prompt("red apples")]


def test_a_cascade_inside_a_combination_is_asked_in_rounds_too() -> None:
    judge = Agrees()
    inner = Cascade((Gate(Similarity(), at_least(0.5, doubt=(0.2, 0.8))), Gate(Asks(), at_least(0))))
    check = AllOf((inner, Gate(Similarity(), at_least(0.1))))
    sample = Sample("red apples", expected="red seas")
    verdict = next(assess([(sample, check)], Backends(HashingEncoder(), Scores(), judge)))

    assert verdict.outcome == "pass"
    assert len(judge.asked) == 1


class Fails(Agrees):
    """A judge that has no reply to some prompts, gives too few replies to others, or cannot be had."""

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str]:
        replies = super().ask(prompts)
        if Prompt("broken") in prompts:
            raise BackendError("the judge is broken")
        return replies[1:] if Prompt("few") in prompts else replies


class Misses(Scores):
    """A cross-encoder that leaves a pair out, and counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        self.asked += pairs
        return super().score(pairs)[1:]


@pytest.mark.parametrize(
    ("answer", "because"),
    [("few", "the judge `agrees:1` gave 0 replies to 1 prompts"), ("broken", "the judge is broken")],
)
def test_a_judge_that_fails_fails_only_its_prompts(answer: str, because: str) -> None:
    asked, near = Gate(Asks()), Gate(Similarity(answer), at_least(0.5))
    cases = [(Sample(answer), asked), (Sample(answer), near), (Sample("another"), asked)]
    parts = Backends(HashingEncoder(), Scores(), Fails())
    verdicts = list(assess(cases, parts, batch_size=2))

    assert [verdict.outcome for verdict in verdicts] == ["error", "pass", "measured"]
    assert verdicts[0].because == because


def test_a_cross_encoder_that_leaves_a_pair_out_is_an_error_that_says_so() -> None:
    verdict = next(assess([(Sample("a"), Gate(Asks()))], Backends(HashingEncoder(), Misses(), Agrees())))

    assert verdict.outcome == "error"
    assert verdict.because == "the cross-encoder `scores:1` gave 0 scores for 1 pairs"


def test_what_was_asked_in_vain_is_not_asked_again_in_the_next_round() -> None:
    encoder, scorer, judge = Picky(), Misses(), Fails()
    unsure = Gate(Similarity("a"), at_least(0.5, doubt=(-1, 1)))
    check = AllOf((Gate(Asks()), Cascade((unsure, Gate(Similarity("c"), at_least(0.5))))))
    verdict = next(assess([(Sample("broken"), check)], Backends(encoder, scorer, judge)))

    assert verdict.outcome == "error"
    assert sorted(encoder.asked) == ["a", "broken", "c"]
    assert encoder.tokens_asked == ("broken",)
    assert scorer.asked == [("broken", "e")]
    assert judge.asked == [Prompt("broken")]


def test_tokens_that_failed_are_not_taken_for_a_pair() -> None:
    @dataclass(frozen=True)
    class Scored:
        name: str = "scored"

        def needs(self, sample: Sample) -> Needs:
            return Needs(tokens=(sample.answer,), pairs=(("tokens", sample.answer),))

        def read(self, sample: Sample, space: Space) -> Reading:
            return Reading(space.pair("tokens", sample.answer).value, "its score")

    verdict = next(assess([(Sample("a"), Gate(Scored()))], Backends(Picky(), Scores())))

    assert verdict.reading == Reading(0.5, "its score")


@dataclass(frozen=True)
class ReadsWithoutAsking:
    name: str = "careless"

    def needs(self, sample: Sample) -> Needs:
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        return Reading(space.similarity(sample.answer, sample.answer), "")


def test_a_measure_that_did_not_ask_is_a_bug_and_not_a_verdict() -> None:
    with pytest.raises(UndeclaredNeed):
        next(assess([(Sample("a"), Gate(ReadsWithoutAsking()))], Backends(HashingEncoder())))


def test_a_check_that_needs_nothing_costs_nothing() -> None:
    counting = Counting()

    @dataclass(frozen=True)
    class Length:
        name: str = "length"

        def needs(self, sample: Sample) -> Needs:
            return Needs()

        def read(self, sample: Sample, space: Space) -> Reading:
            return Reading(len(sample.answer), "its length")

    verdict = next(assess([(Sample("four"), Gate(Length()))], Backends(counting)))

    assert verdict.reading == Reading(4, "its length")
    assert verdict.fingerprint is None
    assert counting.asked == []
