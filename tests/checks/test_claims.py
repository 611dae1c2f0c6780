"""Answers against passages, claim by claim, with a reader of our own making: what decides, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log

import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.grounded import Grounded, claim_support, support_of
from sensecheck.core.backends import Backends, PairScore
from sensecheck.core.cutoff import Certificate, ClaimsCutoff, Cutoff, at_least, at_most
from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.support.groundedness import Groundedness
from sensecheck.measures.support.weights import shipped_model

PASSAGE = (
    "The library opens at nine. Dogs are not allowed inside. Anna Meyer founded it in 1987 with 300 books."
)
ENCODER = HashingEncoder()
MEASURE = Groundedness(replace(shipped_model(), encoder=ENCODER.fingerprint))
WORDS = Grounded(at_least(0.5, doubt=(0.35, 0.5)), measure=MEASURE)
READ = Grounded(at_least(0.5), at_least(0.5, doubt=(0.3, 0.7)), measure=MEASURE)
VERBATIM, OTHER_WORDS, NOTHING = (
    "The library opens at nine.",
    "You may not bring dogs inside, and Anna Meyer founded the place.",
    "Quantum chess needs lasers.",
)
ABSTENTION = "The passage does not say who paid."


class Reader:
    """A cross-encoder that finds claims as probable as the first of its words in them says, and else 95%."""

    fingerprint = "reader:1"

    def __init__(self, probable: Mapping[str, float] | None = None, *, unread: int = 0) -> None:
        self._probable = probable or {}
        self._unread = unread
        self.asked: list[str] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        self.asked += [claim for claim, _ in pairs]
        return [self._score(claim) for claim, _ in pairs]

    def _score(self, claim: str) -> PairScore:
        share = next((share for word, share in self._probable.items() if word in claim), 0.95)
        return PairScore(log((1 - share) / share), unread_chars=self._unread, contradicted=0.9)


def judged(answer: str, check: Grounded, reader: Reader | None = None, passages: str = PASSAGE) -> Verdict:
    sample = Sample.of(answer, passages=passages)
    (verdict,) = assess([(sample, check)], Backends(ENCODER, pairs=reader))
    return verdict


def supports(verdict: Verdict) -> list[str]:
    return [claim_support(part) for part in verdict.parts]


@pytest.mark.parametrize(
    ("answer", "outcome", "because", "claims"),
    [
        (VERBATIM, "pass", "supported: its one claim: the passages say it word by word", ["supported"]),
        (NOTHING, "fail", "unsupported: nothing of it stands in the passages", ["unsupported"]),
        (
            f"{VERBATIM} {NOTHING}",
            "fail",
            "partially supported (1 of 2 claims is not supported): nothing of it stands in the passages",
            ["supported", "unsupported"],
        ),
        (
            f"{NOTHING} {VERBATIM} Anna Meyer founded it in 1923.",
            "fail",
            "partially supported (2 of 3 claims are not supported): nothing of it stands in the passages",
            ["unsupported", "supported", "unsupported"],
        ),
        (
            ABSTENTION,
            "unsure",
            "abstained: its one claim: it says that the passages do not say",
            ["abstained"],
        ),
        (
            f"{VERBATIM} {ABSTENTION}",
            "pass",
            "supported: the worst of its 2 claims: the passages say it word by word",
            ["supported", "abstained"],
        ),
        (
            "No.",
            "unsure",
            "undetermined: it says too little to be held against the passages by its words alone",
            ["undetermined"],
        ),
        (
            "Sure! I hope this helps.",
            "unsure",
            "undetermined: the answer states nothing that could be checked against the passages",
            [],
        ),
        (
            "The library was founded with 300 books, that is 25 dozen.",
            "unsure",
            "undetermined: `25` is not there; `dozen` is not there",
            ["undetermined"],
        ),
        (
            "Die Bibliothek öffnet um neun Uhr und Hunde sind nicht erlaubt.",
            "unsure",
            "undetermined: not verified for German; nothing of it stands in the passages",
            ["undetermined"],
        ),
    ],
)
def test_words_alone_decide_claim_by_claim(
    answer: str, outcome: Outcome, because: str, claims: list[str]
) -> None:
    verdict = judged(answer, WORDS)

    assert (verdict.check, verdict.outcome, verdict.because) == ("grounded", outcome, because)
    assert supports(verdict) == claims
    assert {part.check for part in verdict.parts} <= {"claim"}
    assert verdict.fingerprint == "hashing:256:1"
    assert WORDS.redecide(Verdict.from_json(verdict.to_json())) == verdict


@pytest.mark.parametrize(
    ("share", "outcome", "because"),
    [
        (0.95, "pass", "supported: the passages say it (support is 95% likely)"),
        (0.5, "unsure", "undetermined: the passages seem to say it (support is 50% likely)"),
        (0.49, "unsure", "undetermined: the passages seem to say otherwise (support is 49% likely)"),
        (0.05, "fail", "unsupported: the passages say otherwise (support is 5% likely)"),
    ],
)
def test_the_reader_decides_about_other_words(share: float, outcome: Outcome, because: str) -> None:
    reader = Reader({"founded": share})
    verdict = judged(OTHER_WORDS, READ, reader)

    assert reader.asked == [OTHER_WORDS]
    assert (verdict.outcome, verdict.because[: len(because)]) == (outcome, because)
    assert verdict.reading is not None
    assert verdict.reading.value == pytest.approx(share)
    assert verdict.cutoff == READ.reader
    assert verdict.fingerprint == "hashing:256:1+reader:1"
    assert [part.check for part in verdict.parts[0].parts] == ["reader"]
    assert READ.redecide(Verdict.from_json(verdict.to_json())) == verdict


@pytest.mark.parametrize("answer", [VERBATIM, NOTHING, ABSTENTION, "Sure! I hope this helps."])
def test_what_words_settle_is_not_read(answer: str) -> None:
    reader = Reader()
    verdict = judged(answer, READ, reader)

    assert reader.asked == []
    assert verdict.outcome == judged(answer, WORDS).outcome
    assert verdict.reading is not None
    assert verdict.reading.value == {VERBATIM: 1.0, ABSTENTION: 1.0}.get(answer, 0.0)
    assert READ.redecide(verdict) == verdict


def test_the_claim_that_the_reader_believes_least_decides_about_the_answer() -> None:
    verdict = judged(f"{OTHER_WORDS} Anna gave her books to the place.", READ, Reader({"gave": 0.2}))

    assert verdict.reading is not None
    assert verdict.reading.value == pytest.approx(0.2)
    assert verdict.because == (
        "partially supported (1 of 2 claims is not supported): "
        "the passages seem to say otherwise (support is 20% likely)"
    )


@pytest.mark.parametrize(("share", "outcome"), [(0.95, "unsure"), (0.5, "fail"), (0.2, "fail")])
def test_a_sentence_with_another_amount_fails_unless_the_reader_accepts_it(
    share: float, outcome: Outcome
) -> None:
    check = replace(READ, reader=at_least(0.5, doubt=(0.3, 0.7)))
    verdict = judged("The library opens at ten.", check, Reader({"ten": share}))

    assert verdict.outcome == outcome
    assert check.redecide(verdict) == verdict


@pytest.mark.parametrize(
    ("share", "wide", "outcome"),
    [
        (0.95, 0.3, "unsure"),  # a fact that differs never passes
        (0.5, 0.3, "unsure"),
        (0.11, 0.05, "unsure"),  # unsure for the reader, and not hardly believed
        (0.09, 0.05, "fail"),  # hardly believed, and a fact that differs
        (0.04, 0.05, "fail"),
    ],
)
def test_a_fact_that_differs_keeps_from_passing_and_fails_what_is_hardly_believed(
    share: float, wide: float, outcome: Outcome
) -> None:
    check = replace(READ, reader=at_least(0.5, doubt=(wide, 0.7)))
    verdict = judged("The library is open from ten.", check, Reader({"ten": share}))

    assert verdict.parts[0].outcome == verdict.outcome == outcome
    assert verdict.parts[0].because == (
        f"`ten` instead of `nine`; the passages {'seem to say' if 0.1 < share < 0.9 else 'say'} "
        f"{'it' if share >= 0.5 else 'otherwise'} (support is {share:.0%} likely)"
    )
    assert check.redecide(verdict) == verdict


def test_a_number_that_can_be_calculated_is_left_to_the_reader() -> None:
    answer = "The library was founded with 300 books, that is 25 dozen."
    sure = judged(answer, READ, Reader())
    doubted = judged(answer, replace(READ, reader=at_least(0.5, doubt=(0.05, 0.7))), Reader({"dozen": 0.08}))

    assert (sure.outcome, doubted.outcome) == ("pass", "unsure")
    assert sure.parts[0].because.startswith("the passages say it")
    assert doubted.parts[0].because.startswith("`25` is not there; `dozen` is not there; ")


@pytest.mark.parametrize(
    ("answer", "share", "outcome"),
    [
        ("No parcel was lost on the way.", 0.85, "pass"),  # words alone: who is sure is more often right
        ("No parcel was lost on the way.", 0.75, "unsure"),
        ("All 12 parcels arrived in May.", 0.95, "unsure"),  # an amount
    ],
)
def test_words_that_are_said_otherwise_do_not_hold_against_a_reader_who_is_sure(
    answer: str, share: float, outcome: str
) -> None:
    passage = "A parcel was lost on the way, it seemed; in the end all 11 parcels arrived in May."
    check = replace(READ, reader=at_least(0.6, doubt=(0.3, 0.6)))
    verdict = judged(answer, check, Reader({"parcel": share}), passages=passage)
    reading = verdict.parts[0].reading

    assert reading is not None
    assert any(item.kind.endswith("_mismatch") and item.source for item in reading.evidence)
    assert verdict.outcome == outcome, verdict.explain()


def test_a_text_that_the_reader_did_not_read_to_its_end_does_not_pass() -> None:
    verdict = judged(OTHER_WORDS, READ, Reader(unread=5))

    assert verdict.outcome == "unsure"
    assert verdict.parts[0].parts[0].outcome == "pass"
    assert judged(OTHER_WORDS, READ, Reader({"dogs": 0.05}, unread=5)).outcome == "fail"


def test_without_a_reader_it_is_an_error_unless_a_claim_fails_already() -> None:
    lacking = (
        "no cross-encoder is set up to score pairs; ours comes with: pip install 'sensecheck[local]', and "
        "SENSECHECK_VERIFIER must not be `off`"
    )
    alone, beside = judged(OTHER_WORDS, READ), judged(f"{OTHER_WORDS} {NOTHING}", READ)

    assert (alone.outcome, alone.because) == ("error", lacking)
    assert [part.outcome for part in beside.parts] == ["error", "fail"]
    assert beside.outcome == "fail"
    assert (
        beside.because == "unsupported (1 of 2 claims is not supported): nothing of it stands in the passages"
    )
    assert READ.redecide(alone) == alone


def test_what_the_reader_was_not_asked_cannot_be_decided_by_it_later() -> None:
    verdict = READ.redecide(judged(OTHER_WORDS, WORDS))

    assert verdict.outcome == "error"
    assert verdict.because == "no reader was asked then, and none can be asked now"
    assert READ.redecide(judged(VERBATIM, WORDS)).outcome == "pass"


def test_a_stored_verdict_follows_cutoffs_that_moved() -> None:
    read, by_words = judged(OTHER_WORDS, READ, Reader({"dogs": 0.6})), judged(OTHER_WORDS, WORDS)
    strict = replace(READ, reader=at_least(0.7))

    assert read.outcome == "unsure"
    assert strict.redecide(read).outcome == "fail"
    assert replace(READ, reader=at_least(0.5)).redecide(read).outcome == "pass"
    assert by_words.outcome == "fail"
    assert replace(WORDS, words=at_least(0.01)).redecide(by_words).outcome == "pass"
    assert replace(READ, reader=None).redecide(read).outcome == "fail"
    with pytest.raises(SpecError, match=r"^the verdict is one of `grounded`; wanted one of `other`$"):
        replace(READ, label="other").redecide(read)


def test_a_stored_verdict_keeps_the_name_of_its_sample() -> None:
    sample = Sample(OTHER_WORDS, passages=(PASSAGE,), id="seven")
    (verdict,) = assess([(sample, READ)], Backends(ENCODER, pairs=Reader()))

    assert verdict.sample == READ.redecide(verdict).sample == "seven"


def test_claims_have_the_cutoff_for_their_number() -> None:
    strict = (ClaimsCutoff(2, at_least(0.99)),)
    read = replace(READ, reader=replace(at_least(0.5), by_claims=strict))
    words = replace(WORDS, words=replace(at_least(0.01), by_claims=strict))
    both = f"{OTHER_WORDS} Anna has dogs inside."

    assert judged(OTHER_WORDS, read, Reader()).outcome == "pass"
    verdict = judged(both, read, Reader())
    assert (verdict.outcome, verdict.cutoff) == ("fail", at_least(0.99))
    assert read.redecide(verdict) == verdict
    assert judged(OTHER_WORDS, words).outcome == "pass"
    assert judged(both, words).outcome == "fail"
    assert words.redecide(judged(both, words)) == judged(both, words)


def test_claims_that_are_each_supported_may_be_doubtful_together() -> None:
    said = Verdict("claim", "pass", "it is there", Reading(0.6, "it is there"))
    whole = Verdict("grounded", "unsure", "0.4 together")

    assert support_of(whole, (said, said)) == "undetermined"
    assert support_of(replace(whole, outcome="pass"), (said, said)) == "supported"
    read = replace(said, parts=(replace(said, check="reader"),))
    assert support_of(whole, (said, read)) == "supported"
    assert support_of(whole, ()) == "undetermined"


def test_the_reason_of_claims_that_are_doubtful_together_says_so() -> None:
    check = replace(WORDS, words=at_least(0.1))
    verdict = judged(VERBATIM, check)
    doubtful = replace(verdict, reading=Reading(0.05, "the weakest"), parts=verdict.parts * 2)
    again = check.redecide(doubtful)

    assert again.outcome == "unsure"
    assert again.because == (
        "undetermined: each claim is supported, but together they are doubtful; the weakest"
    )


def test_a_verdict_without_a_reading_is_not_decided_again() -> None:
    verdict = judged("", WORDS)

    assert (verdict.outcome, verdict.because) == ("error", "the answer is empty")
    assert verdict.cutoff == WORDS.words
    assert WORDS.redecide(verdict) is verdict


def test_a_sample_without_passages_needs_nothing_and_is_an_error() -> None:
    sample = Sample("The library opens at nine.")

    assert not READ.needs(sample, Space())
    verdict = READ.decide(sample, Space())
    assert (verdict.outcome, verdict.because) == ("error", "the sample has no `passages` to look into")


def test_a_cutoff_that_was_fitted_for_another_encoder_judges_nothing() -> None:
    fitted = Cutoff(0.5, "above", certificate=Certificate("labels:abc", "minilm:1"))
    verdict = judged(VERBATIM, replace(WORDS, words=fitted))

    assert verdict.outcome == "error"
    assert verdict.because == "the cutoff was fitted for the encoder `minilm:1`; in use is `hashing:256:1`"


def test_an_untested_language_is_unsure_and_its_reader_is_not_asked() -> None:
    reader = Reader()
    verdict = judged("Die Bibliothek öffnet um neun Uhr und Hunde sind nicht erlaubt.", READ, reader)

    assert (verdict.outcome, reader.asked) == ("unsure", [])
    assert verdict.because.startswith("undetermined: not verified for German")
    assert verdict.cutoff == READ.words
    assert READ.redecide(verdict) == verdict


def test_support_is_good_above_its_cutoff() -> None:
    with pytest.raises(SpecError) as words:
        Grounded(at_most(0.5))
    with pytest.raises(SpecError) as read:
        Grounded(at_least(0.5), at_most(0.5))
    assert str(words.value) == "the cutoff on the words' support must be `at_least`; got `at_most`"
    assert str(read.value) == "the cutoff on the reader's probability must be `at_least`; got `at_most`"


def test_it_has_the_name_that_it_is_given() -> None:
    assert (WORDS.name, replace(WORDS, label="comes from").name) == ("grounded", "comes from")
