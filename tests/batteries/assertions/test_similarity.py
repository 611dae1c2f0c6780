"""Assertions that compare: by meaning, by letters, by words."""

from dataclasses import replace
from pathlib import Path

import pytest

from sensecheck.batteries.assertions.base import About
from sensecheck.calibration.library import CardLibrary, shipped_card
from sensecheck.checks.introspection import gates_of, uncalibrated
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import BatteryError
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.lexical.bleu import Bleu
from sensecheck.measures.lexical.rouge import RougeN
from sensecheck.measures.support.groundedness import groundedness
from tests.batteries.assertions.asserted import about, decided, read, verdict_on

OPENS = "The museum opens at nine in the morning."
LATER = "From nine o'clock on, the museum is open."
ROOF = "The roof of the barn leaks."


def test_similar_passes_near_its_text_and_near_any_of_several(minilm: Encoder) -> None:
    answerers = Backends(minilm)

    assert verdict_on(LATER, {"type": "similar", "value": OPENS}, answerers=answerers)
    assert verdict_on(LATER, {"type": "similar", "value": [ROOF, OPENS]}, answerers=answerers)
    assert verdict_on(ROOF, {"type": "similar", "value": OPENS}, answerers=answerers).outcome == "fail"
    assert verdict_on(ROOF, {"type": "not-similar", "value": [OPENS, LATER]}, answerers=answerers)


def test_the_score_of_similar_is_its_closeness_and_that_of_its_opposite_the_rest() -> None:
    ((_, plain), (_, turned)) = read(
        {"type": "similar", "value": OPENS}, {"type": "not-similar", "value": OPENS}
    )
    closeness = decided(LATER, plain)

    assert closeness.reading is not None
    assert plain.score(closeness) == closeness.reading.value
    assert turned.score(decided(LATER, turned)) == 1 - closeness.reading.value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a card for similarity: that of another measure, made over."""
    (tmp_path / "cards").mkdir()
    made = replace(shipped_card("grounded"), name="close", measure={"kind": "similarity"})
    (tmp_path / "cards" / "close.json").write_text(made.to_json())
    return tmp_path


@pytest.mark.parametrize("threshold", [{"fpr": 0.15, "confidence": 0.95}, "close", "cards/close.json"])
@pytest.mark.parametrize(
    "kind", [{"type": "similar"}, {"type": "not-similar"}, {"type": "means", "policy": "similarity"}]
)
def test_a_threshold_may_be_a_card_or_its_promise(
    threshold: object, kind: dict[str, str], folder: Path
) -> None:
    around = About({}, folder, CardLibrary((folder / "cards",)))
    ((_, part),) = read({**kind, "value": OPENS, "threshold": threshold}, around=around)

    assert uncalibrated(part.check) == ()
    cutoff = next(gates_of(part.check)).cutoff
    assert cutoff is not None
    assert cutoff.value == shipped_card("grounded").cutoff_for(groundedness(), "above").value


@pytest.mark.parametrize("threshold", [{"fpr": 0.15, "confidence": 0.95}, "means"])
def test_the_line_of_a_reader_may_be_a_card_or_its_promise(threshold: object) -> None:
    ((_, part),) = read({"type": "means", "value": OPENS, "threshold": threshold})

    assert uncalibrated(part.check) == ()
    cutoff = next(gates_of(part.check)).cutoff
    assert cutoff is not None
    assert cutoff.value == shipped_card("means").cutoff_for(Entailment("expected"), "above").value


@pytest.mark.parametrize("threshold", ["no-such-card", "0.8", {"fpr": 0.001}, 1.5, True])
def test_a_threshold_that_is_no_line_is_an_error_with_its_place(threshold: object) -> None:
    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: "):
        read({"type": "similar", "value": OPENS, "threshold": threshold})


@pytest.mark.parametrize(
    ("answer", "wanted", "bleu", "rouge"),
    [
        ("The cat sat on the mat.", "The cat sat on the mat.", 1, 1),
        ("the cat", "The cat sat on the mat.", 0.1353352832366127, 0.4444444444444445),
        ("A dog sat on the mat", "The cat sat on the mat.", 0.008408964152537146, 0.6153846153846153),
        ("I can't do that, sorry!", "I cannot do that; sorry.", 4.47213595499958e-06, 0.5),
        ('He said "hello" to me.', "He said 'hello' to me.", 0.0002514866859365869, 0.6666666666666666),
        ("It's Bob's dog (really).", "It is Bob's dog, really.", 3.096787331587728e-06, 0.7058823529411764),
        ("We gonna wanna go", "We are going to want to go", 2.233683518142854e-06, 0.30769230769230765),
        ("The U.S. is big. Very big.", "The U.S. is big.", 0.5081327481546147, 0.8333333333333333),
        ("Wait... what?", "Wait what?", 0.00022360679774997909, 0.8571428571428571),
        ("the the the", "the cat", 1.4938015821857238e-05, 0.4),
        (
            "Berlin is the capital of Germany",
            "Germany's capital is Berlin",
            4.728708045015879e-06,
            0.7272727272727273,
        ),
        ("1,000 at 10:30", "1000 at 10:30", 0.0032182979486854333, 0.6666666666666666),
        (
            "they'll won't we've I'm he'd",
            "they will not we have I am he would",
            4.493289641172213e-08,
            0.42105263157894735,
        ),
        ("Üben macht den Meister", "üben macht den meister", 1, 1),
        ("'tis more'n enough d'ye see", "it is more than enough do you see", 2.4543602502982405e-06, 0.5),
        ("[x] {y} <z> -- end", "x y z end", 3.7606030930863924e-06, 0.5333333333333333),
        ("The answer is 42", "the answer is forty-two, i.e. 42.", 0.0076267192765031, 0.6666666666666666),
    ],
)
def test_bleu_and_rouge_are_those_of_promptfoo(answer: str, wanted: str, bleu: float, rouge: float) -> None:
    """The numbers are what promptfoo 0.123.1 prints for the same texts."""
    sample = Sample(answer, expected=wanted)

    assert Bleu().read(sample, Space()).value == pytest.approx(bleu)
    assert RougeN().read(sample, Space()).value == pytest.approx(rouge)


def test_few_changes_of_letters_pass_and_more_do_not() -> None:
    assert verdict_on("kitten", {"type": "levenshtein", "value": "sitting"}).outcome == "pass"
    assert verdict_on("kitten", {"type": "levenshtein", "value": "sitting", "threshold": 2}).outcome == "fail"
    assert verdict_on("same", {"type": "levenshtein", "value": "same", "threshold": 0}).outcome == "pass"


def test_what_is_compared_may_be_the_variable_expected() -> None:
    assert verdict_on("same", {"type": "levenshtein"}, around=about(expected="same"))
    with pytest.raises(BatteryError, match="the variable `expected`"):
        read({"type": "rouge-n"})
