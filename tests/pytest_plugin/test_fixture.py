"""The fixture `sense`, and what importing the plugin costs everybody."""

import subprocess
import sys

import pytest

from tests.pytest_plugin.conftest import Run

TEST = """
def test_the_lending_period(sense):
    answer = "Tablets are lent for two weeks."
    sense.expect(answer).is_not_refusal().means("Tablets are lent for three weeks.")

def test_nothing_to_judge(sense):
    sense.expect("").means("Tablets are lent for three weeks.")
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
            '>*sense.expect(answer).is_not_refusal().means("Tablets are lent for three weeks.")',
            "E *Unmet: FAIL means: fact_agreement: *`two weeks` is not there; it says `three weeks`",
            "E *read *, wanted at least 0.6*",
            "E *the answer: “Tablets are lent for two weeks.”",
            "E *CannotJudge: ERROR means: *the text is empty*",
        ]
    )
    assert "expectation.py" not in result.stdout.str(), "our frames are hidden"


def test_the_plugin_brings_nothing_heavy_into_other_peoples_tests() -> None:
    script = "import sys, sensecheck.pytest_plugin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())

    assert not loaded & {"numpy", "onnxruntime", "yaml", "jinja2", "typer", "rich", "sensecheck.sense"}
