"""What a check is made of: its parts, gates and cutoffs, and what it is known by."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not, Vetoed
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.introspection import (
    cutoffs_of,
    described,
    gates_of,
    may_be_unsure,
    parts_of,
    settled,
    uncalibrated,
    with_cutoffs,
)
from sensecheck.checks.spec import check_from_data, check_to_data, identity_of
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.cutoff import Certificate, ClaimsCutoff, Cutoff, at_least, at_most
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import Similarity
from sensecheck.measures.support.groundedness import groundedness

FITTED = Cutoff(0.7, "above", certificate=Certificate("labels:abc", "minilm:1"))
NEAR = Gate(Similarity(), at_least(0.6), "near")
WORDS = Gate(KeywordOverlap(), at_least(0.4, doubt=(0.3, 0.5)), "words")
SURE = Gate(Similarity(), FITTED, "sure")
CLAIMS = Grounded(at_least(0.5), at_least(0.8))
BY_WORDS = Grounded(at_least(0.5), label="from the page")
SCORED = Scored((Part(NEAR, 2.0, "m", graded=True), Part(Not(WORDS), wanted="none")), 0.5, "both")
ALL: list[tuple[Check, tuple[Check, ...]]] = [
    (NEAR, ()),
    (CLAIMS, ()),
    (Not(NEAR), (NEAR,)),
    (Against(WORDS, expected="x"), (WORDS,)),
    (AllOf((NEAR, WORDS)), (NEAR, WORDS)),
    (AnyOf((WORDS, NEAR)), (WORDS, NEAR)),
    (Vetoed((NEAR, WORDS)), (NEAR, WORDS)),
    (Cascade((NEAR, SURE)), (NEAR, SURE)),
    (SCORED, (NEAR, Not(WORDS))),
]


@dataclass(frozen=True)
class Own:
    """A check of a user's own, which may ask a model."""

    asks: tuple[str, ...] = ()
    name: str = "own"

    def needs(self, sample: Sample, known: Space) -> Needs:
        return Needs(texts=self.asks)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        return Verdict(self.name, "pass", "it is ours")

    def redecide(self, verdict: Verdict) -> Verdict:
        return verdict


@pytest.mark.parametrize(("check", "parts"), ALL, ids=lambda one: getattr(one, "name", ""))
def test_parts_are_listed_in_their_order(check: Check, parts: tuple[Check, ...]) -> None:
    assert parts_of(check) == parts


def test_gates_are_found_however_deep_they_stand() -> None:
    assert list(gates_of(AllOf((Not(NEAR), Against(AnyOf((WORDS, SURE))))))) == [NEAR, WORDS, SURE]
    assert list(gates_of(SCORED)) == [NEAR, WORDS]
    assert list(gates_of(Own())) == []


def test_the_gates_of_a_check_of_claims_are_its_cutoffs() -> None:
    words, read = gates_of(CLAIMS)

    assert (words.measure, words.cutoff, words.name) == (groundedness(), at_least(0.5), "grounded")
    assert (read.measure, read.cutoff, read.name) == (
        Entailment("passages"),
        at_least(0.8),
        "grounded, read",
    )
    assert [gate.name for gate in gates_of(BY_WORDS)] == ["from the page"]


def test_a_check_of_others_that_asks_a_model_has_gates_that_are_not_known() -> None:
    with pytest.raises(SpecError) as refused:
        list(gates_of(AllOf((NEAR, Own(("a text",))))))
    assert str(refused.value) == "`own` is a Own that asks a model; its line is not known"


def test_every_cutoff_is_listed_and_can_be_exchanged() -> None:
    check = Scored((Part(AllOf((Not(NEAR), CLAIMS, Gate(Similarity())))), Part(Against(WORDS))))
    lines = [at_least(0.6), at_least(0.5), at_least(0.8), WORDS.cutoff]

    assert list(cutoffs_of(check)) == lines
    assert list(cutoffs_of(Own())) == []
    stricter = with_cutoffs(check, lambda line: at_least(line.value + 1))
    assert [line.value for line in cutoffs_of(stricter)] == [1.6, 1.5, 1.8, 1.4]
    assert with_cutoffs(stricter, lambda line: line) == stricter
    assert list(cutoffs_of(with_cutoffs(BY_WORDS, lambda _: at_least(0.9)))) == [at_least(0.9)]
    own = Own()
    assert with_cutoffs(own, lambda _: FITTED) is own


@pytest.mark.parametrize(
    ("check", "names"),
    [
        (NEAR, ("near",)),
        (AllOf((NEAR, SURE), "means"), ("means (near)",)),
        (AllOf((NEAR, NEAR), "means"), ("means (near)",)),
        (SURE, ()),
        (WORDS, ()),  # words ask no model
        (Gate(Similarity()), ()),
        (Scored((Part(AllOf((NEAR,), "a")), Part(NEAR), Part(AllOf((NEAR,), "a")))), ("a (near)", "near")),
        (CLAIMS, ("grounded", "grounded (grounded, read)")),
    ],
)
def test_cutoffs_on_a_model_that_nobody_fitted_are_named(check: Check, names: tuple[str, ...]) -> None:
    assert uncalibrated(check) == names


@pytest.mark.parametrize(
    ("check", "may"),
    [
        (WORDS, True),
        (NEAR, False),
        (Gate(Similarity()), False),
        (AllOf((NEAR, WORDS)), True),
        (Not(NEAR), False),
        (BY_WORDS, True),
        (Cascade((WORDS, NEAR)), False),  # the last one has the last word
        (Cascade((NEAR, WORDS)), True),
        (Own(), False),
    ],
)
def test_only_where_there_is_a_band_a_second_opinion_can_be_asked(check: Check, may: bool) -> None:
    assert may_be_unsure(check) is may


def test_a_check_is_described_without_names_and_with_one_cutoff_open() -> None:
    line = at_least(0.6, doubt=(0.5, 0.7))
    open_gate = Gate(Similarity(), line, "named", english=False)
    similarity = {"kind": "similarity", "other": None}
    gate = {"kind": "gate", "measure": described(NEAR, line)["measure"]}
    check = AllOf((open_gate, Not(WORDS), Cascade((SURE, Gate(Similarity()))), Against(NEAR)), "whole")

    assert gate["measure"]["kind"] == similarity["kind"]
    assert described(check, line) == {
        "kind": "all_of",
        "checks": [
            {**gate, "cutoff": "this card", "english": False},
            {
                "kind": "not",
                "check": {
                    "kind": "gate",
                    "measure": described(WORDS, line)["measure"],
                    "cutoff": {"at_least": 0.4, "doubt": [0.3, 0.5]},
                },
            },
            {"kind": "cascade", "checks": [{**gate, "cutoff": {"at_least": 0.7}}, {**gate, "cutoff": None}]},
            {**gate, "cutoff": {"at_least": 0.6}},
        ],
    }
    claims = described(CLAIMS, CLAIMS.words)
    assert (claims["kind"], claims["words"], claims["reader"]) == ("claims", "this card", {"at_least": 0.8})
    assert claims["measure"]["kind"] == "groundedness"
    assert described(BY_WORDS, line)["reader"] is None
    with pytest.raises(SpecError, match=r"^`both` is a Scored; only our own kinds of check are data$"):
        described(SCORED, line)


def test_a_promise_on_a_reading_is_kept_by_a_gate_and_by_nothing_larger() -> None:
    by_claims = replace(FITTED, by_claims=(ClaimsCutoff(2, FITTED),))
    gate, whole = settled(Gate(Similarity(), by_claims, "sure")), settled(Grounded(FITTED))

    assert isinstance(gate, Gate)
    assert isinstance(whole, Grounded)
    assert gate.cutoff is not None
    assert gate.cutoff.certificate is not None
    assert gate.cutoff.certificate.kept_by == "sure"
    inner = gate.cutoff.by_claims[0].cutoff.certificate
    assert inner is not None
    assert inner.kept_by == "sure"
    assert whole.words.certificate is not None
    assert whole.words.certificate.kept_by == ""
    assert settled(NEAR) is NEAR


def test_a_promise_for_a_check_that_is_no_data_is_kept_by_none() -> None:
    certificate = replace(FITTED.certificate or Certificate("x"), check="means#abc", kept_by="means")
    scored = settled(Scored((Part(Gate(Similarity(), replace(FITTED, certificate=certificate))),)))

    (line,) = cutoffs_of(scored)
    assert line.certificate is not None
    assert line.certificate.kept_by == ""


@dataclass(frozen=True)
class Length:
    """A measure of a user's own, registered nowhere."""

    least: int = 3
    name: str = "length"

    def needs(self, sample: Sample) -> Needs:
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        return Reading(float(len(sample.answer)), "its length")


class Told:
    """A check of a user's own that says what it is known by."""

    name = "told"

    def to_data(self) -> dict[str, Any]:
        return {"version": 3}


class Upper:
    """A transform that can be described."""

    def __call__(self, text: str) -> str:
        return text.upper()

    def to_data(self) -> str:
        return "upper"


def test_checks_that_are_no_data_are_known_by_what_they_ask() -> None:
    near = check_to_data(NEAR)

    assert identity_of(SCORED) == {
        "kind": "scored",
        "parts": [
            {"check": near, "weight": 2.0, "metric": "m", "graded": True, "wanted": ""},
            {
                "check": check_to_data(Not(WORDS)),
                "weight": 1.0,
                "metric": "",
                "graded": False,
                "wanted": "none",
            },
        ],
        "threshold": 0.5,
        "label": "both",
    }
    assert identity_of(Against(NEAR, "q", "e", ("p",))) == {
        "kind": "against",
        "check": near,
        "question": "q",
        "expected": "e",
        "passages": ["p"],
    }
    changed = identity_of(Against(NEAR, answer="a", transform=Upper()))
    assert (changed["answer"], changed["transform"]) == ("a", "upper")
    assert identity_of(Against(NEAR, transform=len))["transform"] == repr(len)  # type: ignore[arg-type]
    assert identity_of(Own(("x",))) == {
        "kind": "own",
        "name": "own",
        "data": {"asks": ["x"], "name": "own"},
    }
    assert identity_of(Told()) == {"kind": "own", "name": "told", "data": {"version": 3}}  # type: ignore[arg-type]
    assert identity_of(AllOf((Gate(Length(5), at_least(4)),))) == {
        "kind": "all_of",
        "checks": [
            {
                "kind": "gate",
                "measure": {"kind": "own", "name": "length", "data": {"least": 5, "name": "length"}},
                "cutoff": {"at_least": 4},
            }
        ],
    }


def test_a_check_of_claims_goes_to_data_and_back() -> None:
    data = check_to_data(BY_WORDS)

    assert data == {"kind": "claims", "words": {"at_least": 0.5}, "label": "from the page"}
    assert check_from_data(data) == BY_WORDS
    assert check_to_data(CLAIMS)["reader"] == {"at_least": 0.8}
    assert check_from_data(check_to_data(CLAIMS)) == CLAIMS


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            {"kind": "claims", "words": None},
            "`check.words` needs a cutoff",
        ),
        (
            {"kind": "claims", "words": {"at_most": 0.5}},
            "in `check`: the cutoff on the words' support must be `at_least`; got `at_most`",
        ),
        (
            {"kind": "all_of", "checks": "means"},
            "`check.checks` must be a list; got str",
        ),
        (
            {"kind": "not", "check": {"kind": "gate", "measure": {"kind": "similarity"}, "label": 3}},
            "`check.check.label` must be a string; got int",
        ),
    ],
)
def test_data_that_is_no_check_is_refused_where_it_stands(data: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError) as refused:
        check_from_data(data)
    assert str(refused.value) == message


def test_the_opposite_keeps_its_cutoffs_side() -> None:
    assert list(cutoffs_of(Not(Gate(Similarity(), at_most(0.2))))) == [at_most(0.2)]
