"""A second opinion: the judge hears only of what is unsure, and what it changed is counted."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.combine import Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.policies import named
from sensecheck.checks.questions import preset_check
from sensecheck.checks.second_opinion import (
    OPINION,
    Opinions,
    SecondOpinion,
    has_second_opinion,
    opinion_in,
    seconded,
    seconded_each,
)
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import at_least
from sensecheck.core.needs import Prompt
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.grounding.grounding import grounding_of
from sensecheck.measures.overlap import KeywordOverlap

PASSAGES = ("The library lends cameras and tablets for two weeks.",)
SURE, OPEN, WRONG = (
    Sample(answer, passages=PASSAGES, id=str(at))
    for at, answer in enumerate(
        (
            "The library lends tablets.",
            "The library lends cameras for fourteen days.",
            "Swimming is free on Sundays.",
        )
    )
)
WORDS = Gate(KeywordOverlap(), at_least(0.85, doubt=(0.2, 0.85)), "grounded")


@dataclass
class Says:
    """A judge that always says the same, and remembers what it was asked."""

    verdict: str
    prompts: list[Prompt] = field(default_factory=list)
    fingerprint: str = "says:1"

    def ask(self, prompts: Sequence[Prompt]) -> list[str]:
        self.prompts += prompts
        return [json.dumps({"reasoning": "So it is.", "verdict": self.verdict}) for _ in prompts]


def judged(check: Check, *samples: Sample, judge: Says) -> list[Verdict]:
    return list(assess([(sample, check) for sample in samples], Backends(judge=judge)))


@pytest.mark.parametrize(("word", "outcome"), [("PASS", "pass"), ("FAIL", "fail"), ("maybe", "error")])
def test_the_judge_decides_what_is_unsure_and_nothing_else(word: str, outcome: str) -> None:
    judge = Says(word)
    verdicts = judged(seconded(WORDS), SURE, OPEN, WRONG, judge=judge)

    assert [verdict.outcome for verdict in verdicts] == ["pass", outcome, "fail"]
    assert len(judge.prompts) == 1
    assert OPEN.answer in judge.prompts[0].user
    assert PASSAGES[0] in judge.prompts[0].user


def test_a_verdict_that_nobody_was_asked_about_is_the_checks_own() -> None:
    plain = judged(WORDS, SURE, WRONG, judge=Says("PASS"))

    assert judged(seconded(WORDS), SURE, WRONG, judge=Says("PASS")) == plain


def test_a_verdict_of_the_judge_holds_both_opinions_and_no_line() -> None:
    (verdict,) = judged(seconded(WORDS), OPEN, judge=Says("PASS"))

    said = [(part.check, part.outcome) for part in verdict.parts]
    assert said == [("grounded", "unsure"), (OPINION, "pass")]
    assert verdict.cutoff is None
    assert opinion_in(verdict) == verdict.parts[1]
    assert verdict.sample == "1"


def test_it_is_decided_again_from_what_is_kept() -> None:
    check = seconded(WORDS)
    for verdict in judged(check, SURE, OPEN, WRONG, judge=Says("PASS")):
        assert check.redecide(Verdict.from_json(verdict.to_json())) == verdict
    stricter = seconded(Gate(KeywordOverlap(), at_least(0.99), "grounded"))
    (verdict,) = judged(check, OPEN, judge=Says("PASS"))
    assert stricter.redecide(verdict).outcome == "fail"


def test_the_question_is_shown_where_there_is_one() -> None:
    judge = Says("PASS")
    open_questions = [Sample(OPEN.answer, question, passages=PASSAGES) for question in (None, "How long?")]
    judged(seconded(WORDS), *open_questions, judge=judge)

    assert ["How long?" in prompt.user for prompt in judge.prompts] == [False, True]


@pytest.mark.parametrize("preset", ["means", "keeps_facts", "grounded", "not_a_refusal", "relevant"])
def test_each_question_of_ours_has_one(preset: str) -> None:
    assert isinstance(seconded(preset_check(preset)), SecondOpinion)


def test_parts_of_a_test_are_seconded_each_for_itself() -> None:
    circling = preset_check("not_circling")
    whole = Scored((Part(Against(WORDS, passages=PASSAGES), 2.0), Part(Not(WORDS)), Part(circling)))
    found = seconded(whole)

    assert isinstance(found, Scored)
    assert [has_second_opinion(part.check) for part in found.parts] == [True, True, False]
    assert found.parts[2].check is circling
    assert [part.weight for part in found.parts] == [2.0, 1.0, 1.0]
    assert not has_second_opinion(whole)


def test_what_it_changed_is_counted_within_tests_too() -> None:
    opinions = Opinions()
    assert str(opinions) == "second opinion: nothing in 0 verdicts was unsure; the judge was not asked"
    for word in ("PASS", "FAIL", "maybe"):
        check = seconded(Scored((Part(WORDS), Part(Not(WORDS)))))
        for verdict in judged(check, SURE, OPEN, judge=Says(word)):
            assert opinions.count(verdict) is verdict

    assert opinions.to_data() == {"verdicts": 6, "asked": 6, "pass": 2, "fail": 2, "unsure": 0, "error": 2}
    assert str(opinions) == (
        "second opinion: the judge was asked 6 times in 6 verdicts; "
        "from unsure: 2 to pass, 2 to fail, 2 without a usable reply"
    )


def test_one_check_for_many_samples_is_wrapped_once() -> None:
    cases = list(seconded_each((sample, WORDS) for sample in (SURE, OPEN)))

    assert cases[0][1] is cases[1][1]
    assert [sample for sample, _ in cases] == [SURE, OPEN]


@pytest.mark.parametrize(
    ("word", "support"), [("PASS", "supported"), ("FAIL", "unsupported"), ("maybe", "undetermined")]
)
def test_a_grounding_says_what_the_judge_said(word: str, support: str) -> None:
    (verdict,) = judged(seconded(WORDS), OPEN, judge=Says(word))
    found = grounding_of(OPEN, verdict, named("default"))

    assert (found.support, found.outcome) == (support, verdict.outcome)
    assert found.verdict.cutoff is None
    assert found.to_data()["second_opinion"]["outcome"] == verdict.outcome
    (sure,) = judged(WORDS, SURE, judge=Says("PASS"))
    assert "second_opinion" not in grounding_of(SURE, sure, named("default")).to_data()
