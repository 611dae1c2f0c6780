"""A run that was interrupted goes on only where what decides its readings is the same."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.core.run import QuestionSet, Run, Test
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.evaluation.batches import Conditions, validate_resume
from sensecheck.evaluation.scorer import NamedEncoder
from sensecheck.measures.metrics import metrics_named

CONDITIONS = Conditions(
    "1.0",
    metrics_named(["bleu", "semantic_similarity"]),
    (NamedEncoder("hashing", HashingEncoder()),),
    "recorded:abc",
    guards=[{"top": 3}],
)
SET = QuestionSet(1, 10, "d")
RUN = Run(
    1,
    "run",
    Test(1, "test", "atlas", "nightly", {}, {}),
    SET,
    "",
    "",
    CONDITIONS.to_data(),
    datetime(2026, 1, 1, tzinfo=UTC),
    None,
    3,
)


def test_nothing_changed() -> None:
    validate_resume(RUN, SET, CONDITIONS.to_data())


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"sensecheck": "2.0"}, "the version of sensecheck"),
        ({"metrics": metrics_named(["bleu"])}, "the metrics"),
        ({"encoders": (NamedEncoder("other", HashingEncoder()),)}, "the encoders"),
        ({"answers": "recorded:def"}, "who answers, or the recorded answers"),
        ({"prompt": "p", "guards": []}, "the prompt, the guards"),
        ({"columns": {"labels": ["ok"]}}, "the columns of answers or labels"),
        ({"judge": "j", "verifier": "v"}, "the judge, the verifier"),
    ],
)
def test_what_changed_is_told(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(SpecError, match=f"the run 1 cannot be resumed: {told} changed since it began"):
        validate_resume(RUN, SET, replace(CONDITIONS, **changed).to_data())


def test_other_questions_are_told_and_a_whole_run_is_not_resumed() -> None:
    with pytest.raises(SpecError, match="cannot be resumed: the questions changed"):
        validate_resume(RUN, QuestionSet(2, 10, "e"), CONDITIONS.to_data())
    with pytest.raises(SpecError, match="the run 1 is complete; there is nothing to resume"):
        validate_resume(replace(RUN, done=10), SET, CONDITIONS.to_data())
