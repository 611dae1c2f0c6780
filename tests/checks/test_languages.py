"""Languages that nobody tested: never a confident verdict, but numbers and dates are still compared."""

import gzip
import json
from pathlib import Path

import pytest

from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import similarity_or_keywords
from sensecheck.checks.presets import drift_threshold, means, not_circling, relevant
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.cutoff import at_least
from sensecheck.core.protocols import Check
from sensecheck.core.reading import LANGUAGE, NUMBERS_DIFFER, Reading
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.correctness.correctness import Correctness
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.similarity import Similarity
from sensecheck.sense import Sense
from sensecheck.text.languages import marked
from tests.corpus import each_of

EVERYDAY = Path(__file__).parents[2] / "benchmarks" / "data" / "everyday"
HASHING = HashingEncoder()
HOURS = "Das Museum öffnet jeden Tag um {} Uhr am Morgen."

FACTS = (
    ("Das Museum öffnet um 10 Uhr am Morgen.", "Das Museum öffnet um 9 Uhr am Morgen.", "fail"),
    ("Der Eintritt kostet für Erwachsene 15 Euro.", "Der Eintritt kostet für Erwachsene 12 Euro.", "fail"),
    ("Am 5. Mai 2024 geht es hier los.", "Am 6. Mai 2024 geht es hier los.", "fail"),
    ("L'entrée coûte 15 euros pour les adultes.", "L'entrée coûte 12 euros pour les adultes.", "fail"),
    ("El museo abre a las 10 de la mañana.", "El museo abre a las 9 de la mañana.", "fail"),
    ("Das Museum öffnet um 10 Uhr am Morgen.", "Um 10 Uhr am Morgen öffnet das Museum.", "unsure"),
    ("Der Preis beträgt 1.500 Euro im Monat.", "Der Preis beträgt 1500 Euro im Monat.", "unsure"),
    ("Der Preis beträgt 1,5 Millionen Euro nicht.", "Der Preis beträgt 1.5 Millionen Euro nicht.", "unsure"),
    ("Die Lieferung dauert leider noch 2 Wochen.", "Die Lieferung dauert leider noch 14 Tage.", "unsure"),
    ("Das Treffen ist nachmittags um 15 Uhr.", "Das Treffen ist nachmittags um 3 Uhr.", "unsure"),
    ("Das Museum ist heute nicht geöffnet.", "Das Museum ist heute geöffnet, bis acht.", "unsure"),
    ("Der Garten gehört zu dem Schloss.", "Das Haus gehört zu der Kirche dort.", "unsure"),
)


def judged(sample: Sample, check: Check, encoder: Encoder) -> Verdict:
    return Sense(Backends(encoder=encoder)).judge(sample, check)


@each_of("answer, expected, outcome", FACTS)
def test_numbers_and_dates_are_compared_in_every_language_and_words_are_not(
    answer: str, expected: str, outcome: str
) -> None:
    gate = Gate(FactAgreement(), at_least(1.0))

    assert judged(Sample(answer, expected=expected), gate, HASHING).outcome == outcome


def test_a_verdict_on_another_language_is_unsure_and_says_for_which_it_is_not_verified() -> None:
    german = HOURS.format("zehn")
    checks = (means(), not_circling(), relevant(), Gate(Similarity(), at_least(0.1), english=True))
    for check in checks:
        verdict = judged(Sample(german, expected=german, question=german), check, HASHING)

        assert verdict.outcome == "unsure"
        assert "not verified for German" in verdict.because
        assert "not verified for German" in verdict.to_json()
        assert check.redecide(Verdict.from_json(verdict.to_json())) == verdict


def test_the_rules_of_the_specifications_know_no_language() -> None:
    german = HOURS.format("zehn")
    sample = Sample(german, expected=german, passages=(german,))

    assert judged(sample, drift_threshold(), HASHING).outcome == "pass"
    assert judged(sample, similarity_or_keywords(), HASHING).outcome == "pass"


def test_a_gate_can_be_freed_from_english_or_bound_to_it_and_is_written_so() -> None:
    german = HOURS.format("zehn")
    data = {"kind": "gate", "measure": {"kind": "fact_agreement"}, "cutoff": {"at_least": 1.0}}
    free = check_from_data({**data, "english": False})

    assert judged(Sample(german, expected=german), check_from_data(data), HASHING).outcome == "unsure"
    assert judged(Sample(german, expected=german), free, HASHING).outcome == "pass"
    assert check_to_data(free) == {**data, "english": False}
    assert check_from_data(check_to_data(means())) == means()


def test_an_answer_in_english_beside_another_language_is_not_verified_either() -> None:
    sample = Sample("The museum opens every day at ten.", expected=HOURS.format("zehn"))

    assert "not verified for German" in judged(sample, means(), HASHING).because


def test_a_reading_in_english_is_left_as_it_is() -> None:
    reading = Reading(0.5, "half of it")

    assert marked(reading, {"answer": "The museum opens every day at ten."}) is reading
    assert marked(reading, {"answer": HOURS.format("zehn")}).evidence[-1].kind == LANGUAGE


def test_a_claim_in_another_language_fails_by_its_number_alone(sense: Sense) -> None:
    passage = "Das Museum öffnet jeden Tag um 9 Uhr am Morgen. Der Eintritt kostet 12 Euro."
    wrong = sense.grounded(HOURS.format("10"), [passage])
    right = sense.grounded(HOURS.format("9"), [passage])
    other = sense.grounded("Die Bibliothek verleiht auch Fahrräder an Gäste.", [passage])

    assert (wrong.outcome, wrong.support) == ("fail", "unsupported")
    assert wrong.claims[0].reasons[-1].kind == NUMBERS_DIFFER
    assert (right.outcome, other.outcome) == ("unsure", "unsure")
    assert "not verified for German" in right.because
    assert "not verified for German" in json.dumps(other.to_data())


def test_a_refusal_in_another_language_is_unsure_even_where_the_encoder_cannot_read_it(sense: Sense) -> None:
    for refusal, language in (
        ("Lo siento, no puedo ayudarte con eso.", "Spanish"),
        ("申し訳ありませんが、そのご要望にはお応えできません。", "Japanese"),
        ("ขอโทษครับ ผมไม่สามารถช่วยเรื่องนี้ได้", "Thai"),
    ):
        verdict = sense.not_a_refusal(refusal)

        assert verdict.outcome == "unsure"
        assert verdict.because.startswith(f"not verified for {language}")


def test_no_everyday_answer_in_another_language_is_decided_wrongly(sense: Sense) -> None:
    """The rows are written and labelled by a large language model; see the README of the benchmarks."""
    with gzip.open(EVERYDAY / "refusals.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["language"] != "en"]
    wrong = {"refusal": "pass", "answer": "fail"}
    found = [(row["answer"], sense.not_a_refusal(row["answer"]).outcome, row["label"]) for row in rows]

    assert len(rows) >= 30
    assert [one for one in found if wrong.get(one[2]) == one[1]] == []


def test_an_alternative_that_cannot_be_read_is_left_out_and_the_others_decide(minilm: Encoder) -> None:
    measure = Correctness(separator="/")
    sample = Sample("It is Paris.", question="capital of france", expected="🗼🗼🗼/Paris/ſ")
    plain = judged(
        Sample("It is Paris.", question="capital of france", expected="Paris"), Gate(measure), minilm
    )
    verdict = judged(sample, Gate(measure), minilm)
    none = judged(Sample("It is Paris.", expected="🗼🗼🗼/🙂🙂"), Gate(measure), minilm)

    assert verdict.reading is not None
    assert plain.reading is not None
    assert verdict.reading.value == pytest.approx(plain.reading.value)
    assert "cannot be read, and is left out: expected[0:3] “🗼🗼🗼”" in verdict.explain()
    assert none.outcome == "error"


def test_a_passage_that_cannot_be_read_is_left_out_and_the_others_decide(sense: Sense) -> None:
    found = sense.grounded("Tickets are 12 euros.", ["🙂🙂🙂", "Tickets are 12 euros."])

    assert found.outcome == "pass"
    assert found.unread_chars == len("🙂🙂🙂")
    assert "left out: passages[0][0:3] “🙂🙂🙂”" in found.explain()
    assert sense.grounded("Tickets are 12 euros.", ["🙂🙂🙂"]).outcome == "error"
