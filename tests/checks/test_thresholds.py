"""A threshold of a preset: a number, a card, or a promise."""

import inspect
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sensecheck.calibration.card import Card
from sensecheck.calibration.decision import Decision
from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.combine import AllOf
from sensecheck.checks.decision import Noting
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.introspection import described
from sensecheck.checks.presets import PRESETS, drift_threshold, means, not_a_refusal, refusal_cluster
from sensecheck.checks.schema import check_schema
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.checks.thresholds import threshold_subject, thresholds_of
from sensecheck.core.cutoff import at_least, at_most
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.registry import measure_to_data
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.repetition import Circling, Repetition
from sensecheck.measures.similarity import PassageSimilarity, Similarity
from sensecheck.measures.support.groundedness import groundedness
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows

SCHEMA = jsonschema.Draft202012Validator(check_schema())

WORDS = card_of(normal_rows(1, 200, 200), FPR)
TAKING = [(preset, name) for preset in PRESETS for name in thresholds_of(preset)]
"""Every preset that takes a line, with the name of what takes it."""


def others(preset: str, name: str) -> dict[str, Any]:
    """A number for every other threshold."""
    return {other: 0.5 for other in thresholds_of(preset) if other != name}


def fitted_for(measure: Measure, good: Any) -> Card:
    """A card for any measure; where its line comes from does not matter here."""
    return replace(WORDS, measure=measure_to_data(measure), good=good, name="fitted")


def decided_by(preset: str, name: str, given: dict[str, str]) -> Decision:
    """The preset with all else as it is, as a card speaks of it."""
    noting = Noting()
    check = PRESETS[preset](**{name: noting, **given})
    return Decision(preset, {"kind": preset, **given}, name, described(check, noting.noted[0].cutoff))


def gates(check: Check) -> list[Gate]:
    if isinstance(check, Grounded):
        read = [] if check.reader is None else [Gate(Entailment("passages"), check.reader)]
        return [Gate(check.measure, check.words), *read]
    return [check] if isinstance(check, Gate) else [gate for part in check.checks for gate in gates(part)]  # type: ignore[attr-defined]  # a combination


def test_all_presets_with_a_line_are_known_by_its_type() -> None:
    assert TAKING == [
        ("means", "threshold"),
        ("not_a_refusal", "threshold"),
        ("not_a_refusal_multilingual", "threshold"),
        ("verdict_is", "threshold"),
        ("not_circling", "threshold"),
        ("grounded", "threshold"),
        ("relevant", "threshold"),
        ("similarity_or_keywords", "similarity"),
        ("similarity_or_keywords", "overlap"),
        ("drift_threshold", "threshold"),
        ("refusal_cluster", "threshold"),
        ("trajectory", "max_heller_score"),
    ]


@pytest.mark.parametrize(
    ("preset", "name", "given"),
    [
        *((preset, name, {}) for preset, name in TAKING),
        ("means", "threshold", {"policy": "similarity"}),
        ("grounded", "threshold", {"policy": "fast"}),
    ],
)
def test_a_preset_takes_a_card_a_name_or_a_promise(
    preset: str, name: str, given: dict[str, str], tmp_path: Path
) -> None:
    measure, good, _ = threshold_subject(preset, others(preset, name) | given)
    card = replace(fitted_for(measure, good), decides=decided_by(preset, name, given))
    (tmp_path / "fitted.json").write_text(card.to_json(), encoding="utf-8")
    by_hand = PRESETS[preset](**{name: card, **given})

    assert [gate.cutoff for gate in gates(by_hand) if gate.measure == measure] == [card.cutoff()]
    for line in ("fitted", {"fpr": 0.05}, {"fpr": 0.2, "confidence": 0.5}):
        data = {"kind": preset, name: line, **given}
        SCHEMA.validate(data)
        assert check_from_data(data, library=CardLibrary((tmp_path,))) == by_hand
    SCHEMA.validate(check_to_data(by_hand))
    assert check_from_data(check_to_data(by_hand)) == by_hand


@pytest.mark.parametrize(
    ("preset", "given", "asked"),
    [
        ("means", {}, (Entailment("expected"), "above")),
        ("means", {"policy": "similarity"}, (Similarity(), "above")),
        ("not_circling", None, (Repetition(), "below")),
        ("drift_threshold", {"expected": "the moon"}, (Similarity("the moon"), "above")),
        ("similarity_or_keywords", {"overlap": 0.5}, (PassageSimilarity(), "above")),
        ("similarity_or_keywords", {"similarity": 0.7}, (KeywordOverlap("long"), "above")),
        ("trajectory", {}, (Circling(), "below")),
        ("grounded", {}, (Entailment("passages"), "above")),
        ("grounded", {"policy": "strict"}, (Entailment("passages"), "above")),
        ("grounded", {"policy": "fast"}, (groundedness(), "above")),
    ],
)
def test_a_preset_says_what_its_threshold_is_a_line_on(
    preset: str, given: dict[str, Any] | None, asked: tuple[Measure, str]
) -> None:
    assert threshold_subject(preset, given)[:2] == asked


@pytest.mark.parametrize(
    ("preset", "given", "carries"),
    [
        ("not_a_refusal", {}, {"false_accepts", "false_rejects"}),
        ("means", {}, {"false_accepts"}),
        ("means", {"policy": "similarity"}, {"false_accepts"}),
        ("grounded", {}, set()),
        ("grounded", {"policy": "fast"}, {"false_accepts"}),
        ("similarity_or_keywords", {"overlap": 0.5}, {"false_rejects"}),
        ("verdict_is", {}, set()),
        ("verdict_is", {"wanted": "fail"}, set()),
    ],
)
def test_a_preset_says_which_promises_for_its_line_hold_for_all_of_it(
    preset: str, given: dict[str, Any], carries: set[str]
) -> None:
    assert threshold_subject(preset, given).carries == carries


@pytest.mark.parametrize(
    ("preset", "given", "target", "found"),
    [
        ("drift_threshold", {}, {"fpr": 0.05}, True),
        ("means", {}, {"fpr": 0.05}, True),
        ("means", {}, {"fnr": 0.1}, False),
        ("means", {"policy": "similarity"}, {"fpr": 0.05}, True),
        ("means", {"policy": "similarity"}, {"fnr": 0.1}, False),
        ("grounded", {}, {"fpr": 0.05}, False),
        ("grounded", {"policy": "fast"}, {"fpr": 0.05}, True),
        ("grounded", {"policy": "fast"}, {"fnr": 0.1}, False),
        ("verdict_is", {}, {"fpr": 0.05}, False),
    ],
)
def test_a_promise_for_a_reading_serves_a_check_that_errs_no_more_often(
    preset: str, given: dict[str, str], target: dict[str, float], found: bool, tmp_path: Path
) -> None:
    measure, good, _ = threshold_subject(preset, given)
    reading = card_of(normal_rows(1, 200, 200), FPR, FNR)
    card = replace(reading, measure=measure_to_data(measure), good=good, name="fitted")
    (tmp_path / "fitted.json").write_text(card.to_json(), encoding="utf-8")
    data = {"kind": preset, **given, "threshold": target}

    if found:
        assert check_from_data(data, library=CardLibrary((tmp_path,))) == PRESETS[preset](
            threshold=card, **given
        )
        return
    with pytest.raises(SpecError, match="no card promises"):
        check_from_data(data, library=CardLibrary((tmp_path,)))


@pytest.mark.parametrize("preset", ["not_a_refusal", "verdict_is"])
def test_no_threshold_is_the_default_one_to_reader_and_schema(preset: str) -> None:
    data = {"kind": preset, "threshold": None}

    SCHEMA.validate(data)
    assert check_from_data(data) == PRESETS[preset]()


def test_no_cutoff_is_none_to_reader_and_schema() -> None:
    data = {"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": None}

    SCHEMA.validate(data)
    assert check_from_data(data) == Gate(Similarity())


@pytest.mark.parametrize(
    ("preset", "given", "said"),
    [
        (
            "keeps_facts",
            {},
            "the preset `keeps_facts` has no threshold to calibrate; these have one: `means`, ",
        ),
        ("classified_as", {}, "has no threshold to calibrate"),
        ("meens", {}, "`meens` is not a known preset; did you mean `means`?"),
        ("means", {"threshold": 0.5}, "leave out the one that is to be calibrated"),
        (
            "similarity_or_keywords",
            {},
            "thresholds `similarity` and `overlap`; give a number for all but one",
        ),
        ("means", {"doubt": 0.1}, "in `means`: `doubt` is for a threshold that is a number"),
        ("drift_threshold", {"expcted": "x"}, "did you mean `expected`"),
    ],
)
def test_what_cannot_be_calibrated_says_so(preset: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError) as told:
        threshold_subject(preset, given)
    assert said in str(told.value)


def test_a_number_is_a_hand_picked_line_with_a_band_of_doubt() -> None:
    near = gates(means(0.7))[0].cutoff

    assert near == at_least(0.7, doubt=(0.7 - 0.1, 0.7 + 0.1))
    assert gates(means(0.7, doubt=0))[0].cutoff == at_least(0.7)
    assert gates(means(0.95))[0].cutoff == at_least(0.95, doubt=(0.95 - 0.1, 1.0))
    with pytest.raises(SpecError, match=r"`doubt` must be the half width of a band, 0 or more; got -0.1"):
        means(0.7, doubt=-0.1)


def test_a_number_is_drift_where_drift_is_spoken_of() -> None:
    assert gates(drift_threshold(threshold=0.25))[0].cutoff == at_least(0.75)
    assert gates(refusal_cluster(0.25))[0].cutoff == at_most(0.75)


def test_a_card_is_for_its_own_measure_and_says_where_it_was_named(tmp_path: Path) -> None:
    (tmp_path / "words.json").write_text(WORDS.to_json())
    library = CardLibrary((tmp_path,))

    with pytest.raises(SpecError, match=r"in `check.checks\[0\]`: the card `words` is for .*keyword_overlap"):
        check_from_data(
            {"kind": "all_of", "checks": [{"kind": "means", "threshold": "words"}]}, library=library
        )
    with pytest.raises(SpecError, match=r"in `check.cutoff`: the card `words` is for"):
        check_from_data(
            {"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": "words"}, library=library
        )


def test_a_gate_has_the_side_that_its_card_calls_good(tmp_path: Path) -> None:
    card = fitted_for(Similarity(), "below")
    (tmp_path / "fitted.json").write_text(card.to_json())
    gate = {"kind": "gate", "measure": {"kind": "similarity"}}

    for line in ("fitted", {"fpr": 0.05}):
        data = {**gate, "cutoff": line}
        SCHEMA.validate(data)
        assert check_from_data(data, library=CardLibrary((tmp_path,))) == Gate(Similarity(), card.cutoff())


def test_a_promise_that_cards_keep_on_either_side_is_nobodys(tmp_path: Path) -> None:
    for card in (fitted_for(Similarity(), "below"), replace(fitted_for(Similarity(), "above"), name="above")):
        (tmp_path / f"{card.name}.json").write_text(card.to_json())
    data = {"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": {"fpr": 0.05}}

    with pytest.raises(SpecError, match="`above`, `fitted`; name the one that is meant"):
        check_from_data(data, library=CardLibrary((tmp_path,)))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "../words",
        "words.json",
        "w" * 101,
        {"fpr": 0.05, "fnr": 0.05},
        {"fpr": 1.5},
        {"fpr": 0},
        {"fprr": 0.05},
        {"confidence": 0.9},
        {},
        [0.5],
        True,
        None,
    ],
)
def test_a_line_that_is_none_is_refused_by_reader_and_schema(line: object) -> None:
    for data in (
        {"kind": "relevant", "threshold": line},
        {"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": [] if line is None else line},
    ):
        with pytest.raises(SpecError):
            check_from_data(data)
        with pytest.raises(jsonschema.ValidationError):
            SCHEMA.validate(data)


def test_a_name_in_code_needs_a_library() -> None:
    with pytest.raises(SpecError, match=r"must be a number, or a line such as a card; got str"):
        means("my-card")  # type: ignore[arg-type]  # as somebody may try


def test_doubt_is_not_ignored_beside_a_card() -> None:
    with pytest.raises(SpecError, match="`doubt` is for a threshold that is a number"):
        means(fitted_for(Similarity(), "above"), doubt=0.1, policy="similarity")
    assert isinstance(means(fitted_for(Similarity(), "above"), policy="similarity"), AllOf)
    with pytest.raises(SpecError, match="`doubt` is for a threshold that is a number"):
        means(doubt=0.1)
    assert isinstance(means(fitted_for(Entailment("expected"), "above")), AllOf)


def test_a_threshold_has_a_default_in_every_preset() -> None:
    for preset, name in TAKING:
        assert inspect.signature(PRESETS[preset]).parameters[name].default is not inspect.Parameter.empty
    assert not_a_refusal() == check_from_data({"kind": "not_a_refusal"})


PLUGIN = """
from dataclasses import dataclass
from sensecheck.core.needs import Needs

@dataclass(frozen=True, slots=True)
class Learner:
    name: str = "learner"
    def needs(self, sample): return Needs()
    def read(self, sample, space): raise NotImplementedError
    def was_trained_on(self, text): return text.startswith("seen")
"""


def test_a_measure_that_was_trained_says_what_it_has_seen(tmp_path: Path) -> None:
    (tmp_path / "heads.py").write_text(PLUGIN)
    about = tmp_path / "heads-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: heads\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[sensecheck.measures]\nlearner = heads:Learner\n")
    code = (
        "from heads import Learner; from sensecheck.checks.calibrate import Leaks\n"
        "leaks = Leaks(Learner())\n"
        "for answer in ('seen one', 'new', 'learner', 'seen another'): leaks.see(answer)\n"
        "print(*leaks.warnings(), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.startswith("answers that are in its training data: 2 of 4; ")
    assert done.stdout.count("\n") == 1
