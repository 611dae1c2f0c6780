"""Our own kinds in a battery, with the real model, and a judge that is asked only in doubt."""

from typing import Any

import pytest

from sensecheck.checks.introspection import gates_of, uncalibrated
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import BatteryError
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from tests.batteries.assertions.asserted import about, decided, read, verdict_on

OPENS = "The museum opens at nine in the morning."
REFUSES = "I'm sorry, but I can't help with that request."
NEARLY = "Museum doors are unlocked early each day."
SIMILAR: dict[str, Any] = {"type": "means", "value": OPENS, "policy": "similarity"}
POEM = "Roses are red, violets are blue, the sky has a rainbow, and so have you."
CLUSTERS = {
    "pass": ["verdict: PASS", "The tool call is correct", "This passes validation"],
    "fail": ["verdict: FAIL", "The tool call is incorrect", "This fails validation"],
}
LOOP = " ".join(["We must first decide what to do.", "What to do must first be decided."] * 4)


@pytest.mark.parametrize(
    ("answer", "assertion", "outcome"),
    [
        ("At nine in the morning the museum opens.", SIMILAR, "pass"),
        ("At ten in the morning the museum opens.", SIMILAR, "fail"),
        ("At ten in the morning the museum opens.", {**SIMILAR, "type": "not-means"}, "pass"),
        ("The museum opens at nine.", {"type": "keeps-facts", "value": OPENS}, "pass"),
        ("The museum opens at ten.", {"type": "keeps-facts", "value": OPENS}, "fail"),
        (REFUSES, {"type": "refusal"}, "pass"),
        (REFUSES, {"type": "is-refusal"}, "pass"),
        (REFUSES, {"type": "not-is-refusal"}, "fail"),
        (POEM, {"type": "refusal"}, "fail"),
        (POEM, {"type": "not-refusal"}, "pass"),
        (LOOP, {"type": "reasoning-loop"}, "pass"),
        (LOOP, {"type": "not-reasoning-loop"}, "fail"),
        ("This passes", {"type": "cluster", "clusters": CLUSTERS, "expected": "pass"}, "pass"),
        ("This fails", {"type": "cluster", "clusters": CLUSTERS, "wanted": "pass", "by": "nearest"}, "fail"),
        ("It opens at nine.", {"type": "grounded", "passages": OPENS, "policy": "fast"}, "pass"),
        ("It opens at ten.", {"type": "grounded", "passages": [OPENS, POEM], "policy": "fast"}, "fail"),
        ("Verdict: FAIL, the date is wrong.", {"type": "verdict", "value": "FAIL"}, "pass"),
        ("Verdict: FAIL, the date is wrong.", {"type": "verdict", "value": "pass"}, "fail"),
        (
            "It is nine.",
            {"type": "check", "check": {"kind": "drift_threshold", "expected": "It is nine."}},
            "pass",
        ),
    ],
)
def test_our_kinds_do_what_their_words_say(
    answer: str, assertion: dict[str, Any], outcome: str, minilm: Encoder
) -> None:
    verdict = verdict_on(answer, assertion, answerers=Backends(minilm))

    assert verdict.outcome == outcome, verdict.because
    assert verdict.check == assertion["type"]


def test_what_is_compared_with_may_be_a_variable(minilm: Encoder) -> None:
    around = about(expected=OPENS, context=[OPENS], question="When does it open?", expected_verdict="PASS")
    answerers = Backends(minilm)

    asserted: list[dict[str, Any]] = [
        {"type": "means", "policy": "similarity"},
        {"type": "keeps-facts"},
        {"type": "grounded", "policy": "fast"},
    ]
    for one in asserted:
        assert verdict_on("The museum opens at nine in the morning.", one, around=around, answerers=answerers)
    assert verdict_on("Verdict: PASS", {"type": "verdict"}, around=around, answerers=answerers)


@pytest.mark.parametrize("kind", ["means", "keeps-facts", "grounded", "verdict", "cluster", "check"])
def test_nothing_to_compare_with_is_an_error(kind: str) -> None:
    with pytest.raises(BatteryError, match=rf"^here\.yaml:7:3: .*`{kind}`"):
        read({"type": kind})


def test_a_second_opinion_is_asked_only_in_doubt(minilm: Encoder) -> None:
    ((kind, part),) = read(
        {**SIMILAR, "weight": 2, "metric": "right"},
        {"type": "llm-rubric", "value": "It says when the museum opens.", "when": "unsure"},
    )
    known = Space.of((OPENS,), minilm)

    assert (kind, part.check.name) == ("means, then llm-rubric", "means-then-llm-rubric")
    assert (part.weight, part.metric) == (2, "right")
    assert not part.check.needs(Sample(OPENS), known).prompts
    assert [verdict.check for verdict in part.check.decide(Sample(OPENS), known).parts] == ["means"]
    assert [verdict.check for verdict in decided(NEARLY, part, Backends(minilm)).parts] == [
        "means",
        "llm-rubric",
    ]


def test_three_opinions_follow_each_other() -> None:
    ((kind, part),) = read(
        {"type": "similar", "value": OPENS, "doubt": 0.1},
        {"type": "means", "value": OPENS, "when": "unsure"},
        {"type": "llm-rubric", "value": "It says when.", "when": "unsure"},
    )

    assert kind == "similar, then means, then llm-rubric"
    assert part.check.name == "similar-then-means-then-llm-rubric"


@pytest.mark.parametrize(
    "assertions",
    [
        [{"type": "llm-rubric", "value": "x", "when": "unsure"}],
        [{"type": "contains", "value": "x"}, {"type": "llm-rubric", "value": "x", "when": "unsure"}],
        [{"type": "means", "value": "x"}, {"type": "llm-rubric", "value": "x", "when": "always"}],
        [
            {"type": "means", "value": "x"},
            {"type": "llm-rubric", "value": "x", "when": "unsure", "weight": 2},
        ],
    ],
)
def test_a_second_opinion_that_could_never_be_asked_is_an_error(assertions: list[dict[str, Any]]) -> None:
    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: "):
        read(*assertions)


def test_lines_that_nobody_fitted_are_named() -> None:
    parts = read(
        SIMILAR,
        {"type": "means", "value": OPENS},
        {"type": "not-is-refusal"},
        {"type": "contains", "value": "x"},
        {"type": "grounded", "passages": OPENS},
        {"type": "not-similar", "value": OPENS},
        {"type": "python", "value": "True"},
        {"type": "assert-set", "assert": [{"type": "llm-rubric", "value": "Polite."}]},
    )

    found = [uncalibrated(part.check) for _, part in parts]
    by_hand = ("means (similarity)",)
    assert found == [by_hand, (), (), (), (), ("not-similar (similar)",), (), ("llm-rubric",)]
    assert [gate.name for gate in gates_of(parts[4][1].check)] == ["grounded", "grounded, read"]
