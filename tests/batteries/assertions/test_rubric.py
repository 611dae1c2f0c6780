"""Assertions that a judge decides: what it is asked, and what its reply comes to."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from sensecheck.core.backends import Backends, Unanswered
from sensecheck.core.errors import BatteryError
from sensecheck.core.needs import Prompt
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from tests.batteries.assertions.asserted import read, verdict_on

QUESTION = "When does the museum open?"
ANSWER = "It opens at nine."


@dataclass
class OneReplyJudge:
    """A judge that always replies the same, and remembers what it was asked."""

    reply: str | Unanswered
    fingerprint: str = "one-reply"
    asked: list[Prompt] = field(default_factory=list)

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
        """The reply to each."""
        self.asked.extend(prompts)
        return [self.reply] * len(prompts)


def judged(
    assertion: dict[str, Any], reply: dict[str, Any] | str | Unanswered, sample: Sample | None = None
) -> tuple[Verdict, list[Prompt]]:
    """The verdict on the answer to the question, and the prompts that led to it."""
    judge = OneReplyJudge(json.dumps(reply) if isinstance(reply, dict) else reply)
    shown = Sample(ANSWER, QUESTION) if sample is None else sample
    return verdict_on(shown, assertion, answerers=Backends(judge=judge)), judge.asked


CLOSED = {"type": "model-graded-closedqa", "value": "It names an hour."}
RELEVANT = {"type": "answer-relevance"}


@pytest.mark.parametrize(
    ("kind", "said", "outcome"),
    [
        ("model-graded-closedqa", "PASS", "pass"),
        ("model-graded-closedqa", "FAIL", "fail"),
        ("not-model-graded-closedqa", "PASS", "fail"),
        ("not-model-graded-closedqa", "FAIL", "pass"),
    ],
)
def test_a_closed_question_passes_as_the_judge_says(kind: str, said: str, outcome: str) -> None:
    verdict, (prompt,) = judged({**CLOSED, "type": kind}, {"reasoning": "It does.", "verdict": said})

    assert (verdict.check, verdict.outcome) == (kind, outcome)
    assert "The answer to the question meets this criterion: It names an hour." in prompt.system + prompt.user
    assert QUESTION in prompt.user
    assert ANSWER in prompt.user


@pytest.mark.parametrize(
    ("more", "score", "outcome"),
    [
        ({}, 7, "pass"),
        ({}, 6.9, "fail"),
        ({}, 0, "fail"),
        ({"threshold": 0.9}, 9, "pass"),
        ({"threshold": 0.9}, 8.9, "fail"),
        ({"type": "not-answer-relevance"}, 2, "pass"),
        ({"type": "not-answer-relevance"}, 10, "fail"),
    ],
)
def test_relevance_is_a_score_of_the_judge_against_a_threshold(
    more: dict[str, Any], score: float, outcome: str
) -> None:
    verdict, (prompt,) = judged({**RELEVANT, **more}, {"reasoning": "Partly.", "score": score})
    inner = verdict.parts[0] if "type" in more else verdict

    assert verdict.outcome == outcome
    assert inner.reading is not None
    assert inner.reading.value == pytest.approx(score / 10)
    assert "How directly and completely does the answer address the question?" in prompt.system + prompt.user
    assert "from 0" in prompt.system
    assert "to 10" in prompt.system
    assert QUESTION in prompt.user


@pytest.mark.parametrize("assertion", [CLOSED, RELEVANT], ids=["closed", "relevance"])
@pytest.mark.parametrize(
    "reply", ["I like it.", '{"reasoning": "x"}', '{"score": 11}', Unanswered("the judge is unavailable")]
)
def test_what_is_no_judgement_is_an_error_and_neither_pass_nor_fail(
    assertion: dict[str, Any], reply: str | Unanswered
) -> None:
    assert judged(assertion, reply)[0].outcome == "error"


@pytest.mark.parametrize("assertion", [CLOSED, RELEVANT], ids=["closed", "relevance"])
def test_without_a_judge_or_a_question_nothing_is_judged(assertion: dict[str, Any]) -> None:
    without_question, asked = judged(assertion, {"verdict": "PASS", "score": 10}, Sample(ANSWER))

    assert verdict_on(Sample(ANSWER, QUESTION), assertion, answerers=Backends()).outcome == "error"
    assert (without_question.outcome, asked) == ("error", [])
    assert "question" in without_question.because


@pytest.mark.parametrize(
    ("assertion", "said"),
    [
        ({"type": "model-graded-closedqa"}, "value"),
        ({**CLOSED, "value": 3}, "`value` of `model-graded-closedqa`"),
        ({**CLOSED, "threshold": 0.5}, "threshold"),
        ({**RELEVANT, "threshold": 1.5}, "threshold"),
        ({**RELEVANT, "value": "x"}, "value"),
    ],
)
def test_a_mistake_is_said_with_its_place(assertion: dict[str, Any], said: str) -> None:
    with pytest.raises(BatteryError, match=rf"^here\.yaml:7:3: .*{said}"):
        read(assertion)
