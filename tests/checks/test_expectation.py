"""What a test expects of an answer."""

import pytest

from sensecheck.checks.expectation import SHOWN
from sensecheck.checks.gate import Gate
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import CannotJudge, ExpectationFailed
from sensecheck.measures.similarity import Similarity
from sensecheck.sense import Sense

PERIOD = "Tablets are lent for three weeks."
REFUSAL = "I'm sorry, but I can't help with that request."
CLUSTERS = {
    "pass": ["The tool call is correct", "This passes validation"],
    "fail": ["The tool call is incorrect", "This fails validation"],
}


def test_expectations_that_are_met_go_on(sense: Sense) -> None:
    answer = "Tablets may be lent for three weeks."
    expected = sense.expect(answer)

    assert expected.means(PERIOD, policy="similarity").keeps_facts_of(PERIOD).is_not_refusal() is expected
    expected.is_grounded_in(PERIOD, question="How long?", policy="fast")
    expected.is_grounded_in([PERIOD], policy="fast@1")
    expected.passes(Gate(Similarity(), at_least(0.8)), expected=PERIOD)
    sense.expect(REFUSAL).is_refusal()
    sense.expect("The tool call is correct.").is_classified_as(CLUSTERS, "pass")
    sense.expect('{"verdict": "PASS"}').has_verdict("pass")
    sense.expect("Boil the water. Add the leaves. Wait for three minutes.").is_not_circling()


@pytest.mark.parametrize(
    ("answer", "method", "arguments", "named"),
    [
        ("Tablets are lent for two weeks.", "means", [PERIOD], {"policy": "similarity"}),
        ("Tablets are lent for two weeks.", "keeps_facts_of", [PERIOD], {}),
        ("Tablets are lent for two weeks.", "is_grounded_in", [PERIOD], {"policy": "fast"}),
        (REFUSAL, "is_not_refusal", [], {}),
        ("Tablets are lent for two weeks.", "is_refusal", [], {}),
        ("The tool call is correct.", "is_classified_as", [CLUSTERS, "fail"], {}),
        ('{"verdict": "PASS"}', "has_verdict", ["fail"], {}),
        ("It is so because it is so. " * 6, "is_not_circling", [], {}),
    ],
)
def test_an_expectation_that_is_not_met_is_an_assertion_that_explains_itself(
    sense: Sense, answer: str, method: str, arguments: list[object], named: dict[str, str]
) -> None:
    with pytest.raises(AssertionError, match=r"^FAIL ") as told:
        getattr(sense.expect(answer), method)(*arguments, **named)

    assert isinstance(told.value, ExpectationFailed)
    assert f"the answer: “{answer}”" in str(told.value)


def test_what_is_unsure_has_not_been_met_and_says_so(sense: Sense) -> None:
    with pytest.raises(ExpectationFailed, match=r"^UNSURE means: ") as told:
        sense.expect("You can borrow a tablet for three weeks.").means(PERIOD, policy="similarity")

    assert "needs at least 0.6, unsure from 0.5 to 0.7" in str(told.value)


def test_what_cannot_be_judged_is_no_assertion(sense: Sense) -> None:
    with pytest.raises(CannotJudge, match=r"^ERROR means: similarity: ") as told:
        sense.expect("").means(PERIOD, policy="similarity")
    assert not isinstance(told.value, AssertionError)

    with pytest.raises(CannotJudge, match=r"^MEASURED similarity: "):
        sense.expect(PERIOD).passes(Gate(Similarity()), expected=PERIOD)


def test_a_long_answer_is_shown_in_part_and_what_steers_a_terminal_not_at_all(sense: Sense) -> None:
    with pytest.raises(ExpectationFailed) as told:
        sense.expect("\x1b[31m" + "Tablets are lent for two weeks. " * 100).keeps_facts_of(PERIOD)

    assert "\x1b" not in str(told.value)
    assert f"(and {3205 - SHOWN} more characters)" in str(told.value)
