"""What a cross-encoder reads of two texts, and how a reading tells it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp

import pytest

from sensecheck.calibration.library import shipped_card
from sensecheck.checks.presets import means
from sensecheck.core.backends import Backends, PairScore
from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.facts.equivalence import written_alike
from sensecheck.measures.meaning import PLAIN_PAIR, share_said, with_subject_of
from sensecheck.measures.pairs import EVIDENCE_WORDS, probability, stretches_against, with_question
from sensecheck.measures.support.restatement import fills_question
from sensecheck.sense import Sense

QUESTION, EXPECTED = "Can I send it back?", "Yes, within 30 days."
SAME = PairScore(-4.0, contradicted=0.01)
OTHER = PairScore(4.0, contradicted=0.95)
SILENT = PairScore(4.0, contradicted=0.02)


class Reader:
    """A cross-encoder that knows a few answers; each is (whether expected follows, what is said back)."""

    fingerprint = "reader:1"

    def __init__(self, known: Mapping[str, tuple[PairScore, PairScore]]) -> None:
        self.known = known

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        return [self._score(*pair) for pair in pairs]

    def _score(self, claim: str, evidence: str) -> PairScore:
        forward = claim == with_question(QUESTION, EXPECTED)
        answer = (evidence if forward else claim).removeprefix(f"{QUESTION} ")
        return self.known[answer][0 if forward else 1]


def judged(answer: str, forward: PairScore, backward: PairScore = SAME) -> Verdict:
    sense = Sense(Backends(HashingEncoder(), pairs=Reader({answer: (forward, backward)})))
    return sense.means(answer, EXPECTED, question=QUESTION, threshold=0.5, policy="reader")


def test_an_answer_in_other_words_means_the_same() -> None:
    verdict = judged("You have 30 days for that.", SAME)

    assert verdict.outcome == "pass"
    assert "the answer says what was expected (98% likely)" in verdict.because


@pytest.mark.parametrize(
    ("forward", "backward", "told"),
    [
        (OTHER, SAME, "says something else than was expected"),
        (SAME, OTHER, "says something else than was expected"),
        (SILENT, SAME, "does not say what was expected"),
    ],
)
def test_what_contradicts_is_told_from_what_is_silent(
    forward: PairScore, backward: PairScore, told: str
) -> None:
    verdict = judged("You may ask the shop about that.", forward, backward)

    assert verdict.outcome == "fail"
    assert told in verdict.because


@pytest.mark.parametrize("answer", [EXPECTED, "yes,  within 30 days"])
def test_the_expected_words_themselves_mean_the_same_whatever_the_reader_says(answer: str) -> None:
    verdict = judged(answer, SILENT)

    assert verdict.outcome == "pass"
    assert "in the same words" in verdict.parts[0].because


@pytest.mark.parametrize(("answer", "expected"), [("!", "..."), ("> 5", "5"), ("4) blue", "3) blue")])
def test_marks_alone_and_what_stands_before_the_words_are_no_words_of_the_expected_one(
    answer: str, expected: str
) -> None:
    class Doubter:
        fingerprint = "reader:1"

        def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
            return [SILENT for _ in pairs]

    sense = Sense(Backends(HashingEncoder(), pairs=Doubter()))

    assert sense.means(answer, expected, threshold=0.5).outcome != "pass"


def test_the_words_that_the_answer_does_not_say_are_shown_in_the_expected_one() -> None:
    start = len(QUESTION) + 1 + EXPECTED.index("30")
    verdict = judged("Yes, you may.", PairScore(2.0, ((start, start + 7),), (1.5,), contradicted=0.1))

    assert verdict.parts[0].reading is not None
    shown = [item.source for item in verdict.parts[0].reading.evidence if item.kind == "doubted"]
    assert [(span.where, span.text) for span in shown if span is not None] == [("expected", "30 days")]


def test_without_a_reader_nothing_is_decided() -> None:
    verdict = Sense(Backends(HashingEncoder())).means(EXPECTED, EXPECTED, threshold=0.5, policy="reader")

    assert verdict.outcome == "error"
    assert "cross-encoder" in verdict.because


def test_similarity_asks_the_encoder_alone() -> None:
    verdict = Sense(Backends(HashingEncoder())).means(EXPECTED, EXPECTED, policy="similarity")

    assert verdict.outcome == "pass"


def test_a_reader_decides_unless_something_else_is_asked_for_and_has_a_line_of_its_own() -> None:
    assert means() == means(policy="reader") == means(shipped_card("means"))
    assert means() != means(policy="similarity")


def test_the_line_that_we_ship_is_for_our_reader_alone() -> None:
    sense = Sense(Backends(HashingEncoder(), pairs=Reader({"Sure, for 30 days.": (SAME, SAME)})))

    verdict = sense.means("Sure, for 30 days.", EXPECTED, question=QUESTION)

    assert verdict.outcome == "error"
    assert (
        f"fitted for the encoder `{shipped_card('means').encoder}`; in use is `reader:1`" in verdict.because
    )


def test_an_unknown_policy_is_refused_with_those_there_are() -> None:
    with pytest.raises(SpecError, match="reader"):
        means(policy="raeder")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("The shop shuts at six.", 0.5),
        ("At six, the SHOPS are closing!", 1.0),
        ("Nobody knows.", 0.0),
        ("The shop closes", 1.0),
    ],
)
def test_how_many_expected_words_an_answer_has_goes_by_their_stems(answer: str, said: float) -> None:
    assert share_said(answer, "The shop closes.") == said


def test_words_in_another_order_are_not_all_said() -> None:
    assert share_said("The manager praised the clerk.", "The clerk praised the manager.") == 1 / 3
    assert share_said("The clerk praised the new manager today.", "The clerk praised the manager.") == 1.0


def test_without_any_word_to_say_all_are_said() -> None:
    assert share_said("Yes.", "It is.") == 1.0


@pytest.mark.parametrize("question", [None, "", "  "])
def test_without_a_question_shared_words_count_beside_what_the_reader_says(question: str | None) -> None:
    space = Space(
        pairs={
            pair: PairScore(-1.0, contradicted=0.0)
            for pair in (("The shop closes.", "The shop shuts."), ("The shop shuts.", "The shop closes."))
        }
    )
    sample = Sample("The shop shuts.", question=question, expected="The shop closes.")

    odds = PLAIN_PAIR.odds + PLAIN_PAIR.words / 2 + PLAIN_PAIR.always
    assert Entailment().read(sample, space).value == pytest.approx(1 / (1 + exp(-odds)))


def test_behind_a_question_only_the_reader_counts() -> None:
    space = Space(
        pairs={
            pair: PairScore(-1.0, contradicted=0.0)
            for pair in (("When? It closes.", "When? It shuts."), ("When? It shuts.", "When? It closes."))
        }
    )
    reading = Entailment().read(Sample("It shuts.", question="When?", expected="It closes."), space)

    assert reading.value == pytest.approx(1 / (1 + exp(-1)))


def test_a_long_question_does_not_crowd_out_the_text() -> None:
    long = " ".join(f"word{at}" for at in range(500))

    assert with_question(long, "The end.").split()[-3:] == ["word499", "The", "end."]
    assert len(with_question(long, "The end.").split()) == 42
    assert with_question(None, "The end.") == "The end."


def test_probabilities_stay_between_nothing_and_one() -> None:
    assert probability(PairScore(0.0)) == 0.5
    assert probability(PairScore(1e9)) < 1e-300
    assert probability(PairScore(-1e9)) == 1.0


def test_neighbouring_words_that_are_doubted_are_one_stretch() -> None:
    score = PairScore(1.0, ((0, 2), (3, 5), (6, 8), (9, 11)), (1.0, 2.0, -1.0, 3.0))

    assert stretches_against(score) == [(0, 5), (9, 11)]


def test_claims_are_read_with_the_sentences_that_hold_most_of_them() -> None:
    passage = "The library opens at nine. Dogs are not allowed inside. Entry is free."
    sample = Sample.of("Dogs may not come inside.", passages=passage)

    ((claim, evidence),) = Entailment("passages").needs(sample).pairs

    assert claim == "Dogs may not come inside."
    assert "Dogs are not allowed inside." in evidence


@pytest.mark.parametrize(
    ("answer", "expected", "alike"),
    [
        ("It weighs 12000 g.", "It weighs 12 kg.", True),
        ("It closes at 5 pm on 3 May 2020.", "It closes at 17:00 on May 3, 2020.", True),
        ("9", "nine", True),
        ("It closes at half past five.", "It closes at 17:30.", True),
        ("It closes at half past five.", "It closes at 18:30.", False),
        ("The museum opens at ten on Sundays.", "On Sundays, the museum opens at ten.", True),
        ("The clerk praised the manager.", "The manager praised the clerk.", False),
        ("Only on Sundays the shop opens.", "The shop opens on Sundays only.", False),
        ("It weighs 13 kg.", "It weighs 12 kg.", False),
        ("About 12 kg.", "12 kg.", False),
        ("It weighs 12.", "It weighs 12 kg.", False),
        ("It grew by 5.", "It grew by 5%.", False),
        ("It cost 1.5 million euros.", "It cost 1,500,321 euros.", False),
        ("It opened on 3 May.", "It opened on 3 May 2020.", False),
        ("5 of 12", "12 of 5", False),
        ("", "", False),
    ],
)
def test_amounts_and_dates_may_be_written_otherwise(answer: str, expected: str, alike: bool) -> None:
    assert written_alike(answer, expected) is alike


class KeepingReader:
    """A cross-encoder that keeps what it was asked, and finds everything supported, or as it is told."""

    fingerprint = "reader:2"

    def __init__(self, unread_chars: int = 0, score: PairScore = SAME) -> None:
        self.asked: list[tuple[str, str]] = []
        self.scored = replace(score, unread_chars=unread_chars)

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        self.asked += pairs
        return [self.scored for _ in pairs]


def test_of_a_long_answer_the_sentences_nearest_to_what_was_expected_are_read() -> None:
    chat = " ".join(
        f"Thank you for your question number {at}, we are glad to hear from you." for at in range(40)
    )
    reader = KeepingReader()
    sense = Sense(Backends(HashingEncoder(), pairs=reader))
    verdict = sense.means(f"{chat} The pool is open from eight.", "The pool opens at eight.", threshold=0.5)

    evidence = reader.asked[0][1]
    assert "The pool is open from eight." in evidence
    assert len(evidence.split()) <= EVIDENCE_WORDS
    assert verdict.outcome == "pass"
    assert "words, the" in verdict.explain()
    assert "unread characters" in verdict.explain()


def test_a_long_answer_that_is_the_expected_text_is_so_in_the_same_words() -> None:
    text = " ".join(
        f"Bus {at} leaves the old station at platform {at + 3} every morning." for at in range(40)
    )
    sense = Sense(Backends(HashingEncoder(), pairs=KeepingReader(score=SILENT)))
    verdict = sense.means(text, text, threshold=0.5)

    assert "the answer is the expected one, in the same words" in verdict.because


class OneSentenceReader(KeepingReader):
    """Believes a sentence by itself, and nothing among others; `never` contradicts everything."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        self.asked += pairs
        return [
            OTHER
            if "never" in claim + evidence
            else SAME
            if max(claim.count("."), evidence.count(".")) < 2
            else SILENT
            for claim, evidence in pairs
        ]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("Yes, from eight on. The water is warm.", "pass"),
        ("The water is warm. From eight on it is open. Bring a towel.", "pass"),
        ("From eight on. It never opens at eight.", "fail"),  # another sentence contradicts it
        ("From eight on. That is wrong.", "fail"),  # what is taken back is no answer
    ],
)
def test_an_answer_is_read_sentence_by_sentence_too(answer: str, outcome: str) -> None:
    sense = Sense(Backends(HashingEncoder(), pairs=OneSentenceReader()))
    verdict = sense.means(answer, "It opens at eight.", question="When does it open?", threshold=0.5)

    assert verdict.outcome == outcome, verdict.explain()
    assert (f"in one of its {answer.count('.')} sentences" in verdict.explain()) == (outcome == "pass")


@pytest.mark.parametrize(
    ("answer", "taken_back"),
    [
        ("The museum opens at nine. No, wait, it opens at ten.", "No, wait"),
        ("The museum opens at nine. This is no longer true.", "This is no longer true"),
        ("Is the following true? The museum opens at nine. No.", "No"),
        ("The museum opens at nine. Sorry, I meant ten.", "Sorry, I"),
        ("Some say that the museum opens at nine. That is wrong.", "That is wrong"),
        ("The museum opens at nine. Wait for the bell.", None),
        ("The museum opens at nine. That is not new.", None),
    ],
)
def test_an_answer_that_takes_something_back_does_not_pass(answer: str, taken_back: str | None) -> None:
    sense = Sense(Backends(HashingEncoder(), pairs=KeepingReader(score=SAME)))
    verdict = sense.means(answer, "The museum opens at nine.", threshold=0.5)

    assert verdict.outcome == ("pass" if taken_back is None else "unsure")
    assert taken_back is None or f"“{taken_back}" in verdict.explain()
    says_so = sense.means(answer, answer, threshold=0.5)
    assert says_so.outcome == "pass"  # where it is expected, nothing is lost by it


@pytest.mark.parametrize("question", ["When did the bridge open?", None])
def test_a_sentence_that_is_the_expected_text_says_it_whatever_stands_beside_it(question: str | None) -> None:
    sense = Sense(Backends(HashingEncoder(), pairs=KeepingReader(score=SILENT)))
    answer, expected = "Sure! It opened in 1932. It is grey.", "The bridge opened in 1932."
    verdict = sense.means(answer, expected, question=question, threshold=0.5)

    assert verdict.outcome == "pass"
    assert "a sentence of the answer is the expected one, in the same words" in verdict.because
    entailed = next(part for part in verdict.parts if part.check == "entailment")
    assert entailed.reading is not None
    assert entailed.reading.evidence[0].answer is not None
    assert entailed.reading.evidence[0].answer.text == "It opened in 1932."


@pytest.mark.parametrize(
    ("question", "expected", "answer", "fills"),
    [
        ("Who wrote Hamlet?", "William Shakespeare", "William Shakespeare wrote Hamlet.", True),
        ("Who hired Eve?", "Adam", "Eve hired Adam.", False),
        ("Who was hired by Eve?", "Adam", "Adam was hired by Eve.", True),
        ("Who should I call about my order?", "The shop", "The shop will call you about your order.", False),
        ("When does the pool open?", "At eight", "The pool opens at eight.", True),
        ("When does the pool open?", "At eight", "The pool does not open at eight.", False),
        ("When does the pool open?", "At eight", "The pool opens before eight.", False),
        ("When does the pool open?", "At eight", "The pool opens at eight on Sundays.", False),
        ("Where does the bus go?", "To London", "The bus goes from London.", False),
        ("How many floors does it have?", "Three", "It has three floors.", True),
        ("How many floors does it have?", "Three", "It has four floors.", False),
        ("Which is longer, the Nile or the Rhine?", "The Nile", "The Rhine is longer than the Nile.", False),
        ("When?", "At eight", "At eight", False),
    ],
)
def test_an_answer_that_fills_its_question_is_the_expected_one(
    question: str, expected: str, answer: str, fills: bool
) -> None:
    assert fills_question(answer, question, expected) == fills
    sense = Sense(Backends(HashingEncoder(), pairs=KeepingReader(score=SILENT)))
    verdict = sense.means(answer, expected, question=question, threshold=0.5)
    assert ("is the expected one, in the words of the question" in verdict.because) == fills


@pytest.mark.parametrize(
    ("expected", "answer", "read"),
    [
        ("The bridge opened in 1932.", "It opened in 1937.", "The bridge opened in 1937."),
        ("The shop in Main Street is closed.", "They are closed.", "The shop in Main Street are closed."),
        ("Tower Bridge opened in 1894.", "It opened in 1894.", "Tower Bridge opened in 1894."),
        ("The museum opens at nine.", "We open at nine.", "The museum open at nine."),
        ("Anna paid the bill.", "She paid the bill.", "She paid the bill."),  # a name may be anybody's
        ("No shops are open.", "They are open.", "They are open."),
        ("Only members may enter.", "They may enter.", "They may enter."),
        ("In summer the museum opens at ten.", "It opens at ten.", "It opens at ten."),
        ("It is closed.", "It is open.", "It is open."),
        ("The man left.", "He was fired.", "He was fired."),  # another verb: nothing shows who he is
        ("Open", "It", "It"),
    ],
)
def test_a_word_that_stands_for_the_expected_subject_is_read_as_it(
    expected: str, answer: str, read: str
) -> None:
    assert with_subject_of(expected, answer) == read


def test_what_the_cross_encoder_did_not_read_to_its_end_is_unsure() -> None:
    sense = Sense(Backends(HashingEncoder(), pairs=KeepingReader(unread_chars=300)))
    verdict = sense.means("The pool opens at eight o'clock.", "The pool opens at eight.", threshold=0.5)

    assert verdict.outcome == "unsure"
    assert "300 characters of the expected answer and of the answer were not read" in verdict.because


@pytest.mark.parametrize(
    ("answer", "expected", "empty"), [("", "Yes.", "answer"), ("Yes.", " ", "expected answer")]
)
def test_an_empty_text_is_named(answer: str, expected: str, empty: str) -> None:
    verdict = Sense(Backends(HashingEncoder(), pairs=KeepingReader())).means(answer, expected, threshold=0.5)

    assert verdict.outcome == "error"
    assert f"the {empty} is empty" in verdict.because
