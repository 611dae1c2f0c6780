"""The fixture `sense`, and what importing the plugin costs everybody."""

import subprocess
import sys

import pytest

from tests.pytest_plugin.conftest import Run

TEST = """
def test_the_lending_period(sense):
    answer, expected = "Tablets are lent for two weeks.", "Tablets are lent for three weeks."
    sense.expect(answer).is_not_refusal().means(expected, policy="similarity")

def test_nothing_to_judge(sense):
    sense.expect("").means("Tablets are lent for three weeks.", policy="similarity")
"""


@pytest.mark.core
@pytest.mark.slow
def test_the_fixture_is_there_and_a_failure_shows_the_line_and_the_reason(
    pytester: pytest.Pytester, alone: Run
) -> None:
    pytester.makepyfile(TEST)
    result = alone()

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            '>*sense.expect(answer).is_not_refusal().means(expected, policy="similarity")',
            "E *ExpectationFailed: FAIL means: fact_agreement: *`two weeks` instead of `three*",
            "E *read *, needs at least 0.6*",
            "E *the answer: “Tablets are lent for two weeks.”",
            "E *CannotJudge: ERROR means: *the text is empty*",
        ]
    )
    assert "expectation.py" not in result.stdout.str(), "our frames are hidden"


PLAIN = """
from sensecheck import Verdict

FAILED = Verdict("means", "fail", "the answer says something else")

def test_a_call(sense):
    expected = "Tablets are lent for three weeks."
    assert sense.means("Tablets are lent for two weeks.", expected, policy="similarity")

def test_a_grounding(sense):
    passage = "Tablets are lent for three weeks."
    assert sense.grounded("Tablets are lent for two weeks.", passage, policy="fast")

def test_an_outcome(sense):
    assert sense.keeps_facts_of("two weeks", "three weeks").outcome == "pass"

def test_a_comparison():
    assert FAILED == True

def test_what_does_not_fail():
    assert not FAILED

def test_something_else():
    found = FAILED
    assert 1 == 2
"""


def test_a_plain_assertion_explains_the_verdict(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(PLAIN)
    result = run()
    shown = result.stdout.str()

    result.assert_outcomes(failed=5, passed=1)
    result.stdout.fnmatch_lines(
        [
            "E *assert Verdict(FAIL means, fact_agreement 0, needs at least 1: 1 of 1 fact differs: *",
            "E *FAIL means: fact_agreement: 1 of 1 fact differs: *",
            "E *PASS similarity: *",
            "E *read 0.0000, needs at least 1 (uncalibrated)",
            "E *- number: `two weeks` instead of `three weeks`*",
            "E *assert Grounding(FAIL grounded *, needs at least *: *`two weeks` instead of*",
            "E *FAIL claim: *",
            "E *assert 'fail' == 'pass'",
            "E *FAIL keeps_facts: *",
            "E *assert Verdict(FAIL means: the answer says something else) == True",
            "E *a verdict is no bool: write `assert verdict`, or compare its `outcome`",
            "E *FAIL means: the answer says something else",
            "E *assert 1 == 2",
        ]
    )
    assert shown.count("E       FAIL means: the answer says something else") == 1, "not beside `1 == 2`"


def test_the_plugin_brings_nothing_heavy_into_other_peoples_tests() -> None:
    script = "import sys, sensecheck.pytest_plugin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())

    assert not loaded & {
        "numpy",
        "onnxruntime",
        "yaml",
        "jinja2",
        "typer",
        "rich",
        "sensecheck.sense",
    }
