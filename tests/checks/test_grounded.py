"""Answers against passages, claim by claim: what must hold whatever the texts."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sensecheck.checks.grounded import OUTCOMES, Grounded, claim_support
from sensecheck.core.backends import Backends, Encoder, PairScore
from sensecheck.core.cutoff import ClaimsCutoff, at_least
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.memory import remembering
from sensecheck.measures.pairs import EVIDENCE_WORDS
from sensecheck.sense import Sense
from tests.examples import examples

CHECK = Grounded(at_least(0.5, doubt=(0.35, 0.5)))
PASSAGE = (
    "The library opens at nine. Dogs are not allowed inside. Anna Meyer founded it in 1987 with 300 books."
)
RANK = {"fail": 0, "unsure": 1, "pass": 2}
FEW = settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

said = st.sampled_from(
    (
        "The library opens at nine.",
        "The library opens at ten.",
        "Dogs are allowed inside.",
        "Anna Meyer founded it in 1987.",
        "It was founded by Bob in 1923 with 300 books.",
        "No.",
        "42",
        "The passage does not say.",
        "- free entry\n- 300 books",
        "Die Bibliothek öffnet um neun 📚.",
        "| a | b |\n|---|---|\n| 1 | nine |",
        "```python\nopen(9)\n```",
    )
)
answers = st.lists(said, min_size=1, max_size=3).map("\n\n".join)
others = st.sampled_from((PASSAGE, "Cats sleep all day.", "300 books burned in 1923.", "Nine is a number."))
passages = st.lists(others, min_size=1, max_size=3)


@pytest.fixture(scope="module")
def judge(minilm: Encoder) -> Sense:
    return Sense(Backends(remembering(minilm, 512)))


@FEW
@given(answers, passages)
def test_the_order_of_passages_does_not_matter(judge: Sense, answer: str, texts: list[str]) -> None:
    one = judge.judge(Sample.of(answer, passages=texts), CHECK)
    other = judge.judge(Sample.of(answer, passages=texts[::-1]), CHECK)

    assert one.outcome == other.outcome
    assert [part.outcome for part in one.parts] == [part.outcome for part in other.parts]
    assert _values(one) == pytest.approx(_values(other), abs=1e-5)


@FEW
@given(said, passages)
def test_a_claim_put_into_a_passage_is_never_judged_worse(judge: Sense, claim: str, texts: list[str]) -> None:
    before = judge.judge(Sample.of(claim, passages=texts), CHECK)
    after = judge.judge(Sample.of(claim, passages=[*texts[:-1], f"{texts[-1]}\n\n{claim}"]), CHECK)

    assert RANK[after.outcome] >= RANK[before.outcome]


@FEW
@given(answers, st.sampled_from(("", " ", "!?", "…\n")))
def test_without_evidence_nothing_is_supported(judge: Sense, answer: str, empty: str) -> None:
    verdict = judge.judge(Sample.of(answer, passages=empty), CHECK)

    assert verdict.outcome != "pass"


@FEW
@given(answers, passages)
def test_a_verdict_is_decided_again_from_its_readings(judge: Sense, answer: str, texts: list[str]) -> None:
    verdict = judge.judge(Sample.of(answer, passages=texts), CHECK)

    assert CHECK.redecide(verdict) == verdict
    assert CHECK.redecide(Verdict.from_json(verdict.to_json())) == verdict
    assert Grounded(at_least(1.1)).redecide(verdict).outcome != "pass"


@pytest.mark.parametrize(
    ("answer", "outcome", "supports"),
    [
        ("The library opens at nine.", "pass", ["supported"]),
        ("The passage does not say who paid.", "unsure", ["abstained"]),
        ("No.", "unsure", ["undetermined"]),
        ("Quantum chess needs lasers.", "fail", ["unsupported"]),
        ("The library opens at nine. Quantum chess needs lasers.", "fail", ["supported", "unsupported"]),
    ],
)
def test_each_claim_has_its_own_answer(judge: Sense, answer: str, outcome: str, supports: list[str]) -> None:
    verdict = judge.judge(Sample.of(answer, passages=PASSAGE), CHECK)

    assert verdict.outcome == outcome
    assert [claim_support(part) for part in verdict.parts] == supports


def test_pleasantries_alone_are_never_a_pass(judge: Sense) -> None:
    verdict = judge.judge(Sample.of("Sure! I hope this helps.", passages=PASSAGE), CHECK)

    assert verdict.outcome == "unsure"
    assert "states nothing" in verdict.because


def test_a_fact_at_the_end_of_a_long_passage_is_found(judge: Sense) -> None:
    long = " ".join(f"Room {number} has a window to the yard." for number in range(400))
    passage = f"{long} The caretaker of the tower is called Ludwig Brandt."

    good = judge.judge(Sample.of("Ludwig Brandt is the caretaker of the tower.", passages=passage), CHECK)
    bad = judge.judge(Sample.of("Petra Vogel is the caretaker of the tower.", passages=passage), CHECK)

    assert (good.outcome, bad.outcome) == ("pass", "fail")


class Reader:
    """A cross-encoder that has an opinion of claims by a word in them, and counts what it is asked."""

    fingerprint = "reader:1"

    def __init__(self, *, contradicted: str = "", not_stated: str = "") -> None:
        self.words = {0.9: contradicted, 0.01: not_stated}
        self.asked: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        self.asked += pairs
        return [self._score(claim) for claim, _ in pairs]

    def _score(self, claim: str) -> PairScore:
        for contradicted, word in self.words.items():
            if word and word in claim:
                at = claim.index(word)
                return PairScore(3.0, ((at, at + len(word)),), (2.0,), contradicted=contradicted)
        return PairScore(-3.0, contradicted=0.01)


READ = Grounded(at_least(0.5), reader=at_least(0.5, doubt=(0.3, 0.7)))


def test_the_reader_decides_what_words_do_not_settle(minilm: Encoder) -> None:
    reader = Reader(contradicted="nine")
    answer = (
        "The library opens at nine. The library opens at nine, dogs stay outside. Quantum chess needs lasers."
    )

    verdict = Sense(Backends(minilm, pairs=reader)).judge(Sample.of(answer, passages=PASSAGE), READ)

    assert [claim for claim, _ in reader.asked] == ["The library opens at nine, dogs stay outside."]
    assert [part.outcome for part in verdict.parts] == ["pass", "fail", "fail"]
    assert verdict.outcome == "fail"
    assert verdict.reading is not None
    assert (verdict.reading.value, verdict.cutoff) == (0.0, READ.reader)
    assert verdict.parts[1].because.startswith("the passages say otherwise")
    assert verdict.parts[1].parts[0].reading is not None
    contradicted, doubted = verdict.parts[1].parts[0].reading.evidence
    assert (contradicted.kind, doubted.kind) == ("contradicted", "doubted")
    assert contradicted.source is not None
    assert doubted.answer is not None
    assert answer[doubted.answer.start : doubted.answer.end] == doubted.answer.text == "nine"
    assert READ.redecide(verdict) == verdict
    assert READ.redecide(Verdict.from_json(verdict.to_json())) == verdict


def test_other_words_pass_where_the_reader_believes_them(minilm: Encoder) -> None:
    sense = Sense(Backends(minilm, pairs=Reader()))
    sample = Sample.of("You cannot bring your hound along.", passages=PASSAGE)

    read, by_words = sense.judge(sample, READ), sense.judge(sample, CHECK)

    assert (read.outcome, by_words.outcome) == ("pass", "fail")
    assert read.because == "supported: the passages say it (support is 95% likely)"


def test_what_is_not_stated_is_told_from_what_is_said_otherwise(minilm: Encoder) -> None:
    sense = Sense(Backends(minilm, pairs=Reader(not_stated="Anna")))

    verdict = sense.judge(Sample.of("It is run by Anna, who founded it.", passages=PASSAGE), READ)

    assert verdict.outcome == "fail"
    assert "the passages do not say it" in verdict.because


def test_a_fact_that_is_said_otherwise_never_passes(minilm: Encoder) -> None:
    sense = Sense(Backends(minilm, pairs=Reader()))

    verdict = sense.judge(Sample.of("Anna Meyer founded it in 1923.", passages=PASSAGE), READ)

    assert verdict.outcome == "unsure"
    assert "1923" in verdict.because


@pytest.mark.parametrize(
    ("answer", "word", "outcome"),
    [
        ("Anna Meyer founded it in 1923.", "1923", "fail"),
        ("You cannot bring your hound along.", "hound", "unsure"),
    ],
)
def test_a_fact_that_is_said_otherwise_fails_what_the_reader_hardly_believes(
    minilm: Encoder, answer: str, word: str, outcome: str
) -> None:
    wide = Grounded(at_least(0.5), reader=at_least(0.5, doubt=(0.01, 0.7)))
    sense = Sense(Backends(minilm, pairs=Reader(contradicted=word)))

    verdict = sense.judge(Sample.of(answer, passages=PASSAGE), wide)

    assert verdict.outcome == outcome
    assert wide.redecide(verdict) == verdict


def test_the_question_is_read_with_the_claim_and_with_its_evidence(minilm: Encoder) -> None:
    reader = Reader()
    sample = Sample.of("At nine o'clock.", question="When does the library open?", passages=PASSAGE)

    Sense(Backends(minilm, pairs=reader)).judge(sample, READ)

    ((claim, evidence),) = reader.asked
    assert claim == "When does the library open? At nine o'clock."
    assert evidence.startswith("When does the library open? The library opens at nine.")


def test_sentences_are_gathered_for_the_reader_by_their_own_vectors(minilm: Encoder) -> None:
    reader = Reader()
    filler = " ".join(f"Hall {number} shows paintings of the seventeenth century." for number in range(30))
    passage = f"{filler} Hounds have to wait in front of the door. {filler}"

    Sense(Backends(minilm, pairs=reader)).judge(
        Sample.of("Your dog cannot come into a hall with you.", passages=passage), READ
    )

    ((_, evidence),) = reader.asked
    assert "Hounds have to wait in front of the door." in evidence
    assert len(evidence.split()) <= EVIDENCE_WORDS


def test_long_answers_have_a_line_of_their_own(minilm: Encoder) -> None:
    strict = ClaimsCutoff(2, at_least(0.99))
    check = Grounded(at_least(0.5), reader=replace(at_least(0.5), by_claims=(strict,)))
    sense = Sense(Backends(minilm, pairs=Reader()))
    claim = "You cannot bring your hound along."

    assert sense.judge(Sample.of(claim, passages=PASSAGE), check).outcome == "pass"
    assert sense.judge(Sample.of(f"{claim} Nor your cat.", passages=PASSAGE), check).outcome == "fail"


def test_what_stands_there_word_by_word_passes_a_cutoff_that_no_probability_reaches(minilm: Encoder) -> None:
    check = Grounded(at_least(0.5), reader=at_least(1.01, doubt=(0.3, 1.01)))
    sense = Sense(Backends(minilm, pairs=Reader()))
    verbatim = sense.judge(Sample.of("The library opens at nine.", passages=PASSAGE), check)
    reworded = sense.judge(Sample.of("You cannot bring your hound along.", passages=PASSAGE), check)

    assert (verbatim.outcome, reworded.outcome) == ("pass", "unsure")
    assert reworded.because.endswith("for so few claims this policy takes no model's word")
    assert "no model's word" not in verbatim.because


def test_a_reader_that_is_not_there_is_an_error(judge: Sense) -> None:
    verdict = judge.judge(Sample.of("The library opens at nine, says Anna Meyer.", passages=PASSAGE), READ)

    assert verdict.outcome == "error"
    assert "cross-encoder" in verdict.because


def test_what_was_read_by_words_alone_cannot_be_decided_by_a_reader_later(judge: Sense) -> None:
    verdict = judge.judge(Sample.of("You cannot bring your hound along.", passages=PASSAGE), CHECK)

    assert READ.redecide(verdict).outcome == "error"


def test_every_answer_to_the_question_has_an_outcome() -> None:
    assert set(OUTCOMES.values()) == {"pass", "fail", "unsure"}


def _values(verdict: Verdict) -> list[float]:
    return [part.reading.value for part in (verdict, *verdict.parts) if part.reading is not None]
