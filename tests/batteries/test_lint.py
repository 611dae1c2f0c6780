"""What is allowed in a battery and yet not to be trusted."""

import json
from pathlib import Path

import pytest

from sensecheck.batteries.lint import LintFinding, lint
from sensecheck.batteries.reader import read_battery
from tests.walks.cli import typed


def found(folder: Path, tests: str) -> list[LintFinding]:
    path = folder / "battery.yaml"
    path.write_text(f"tests:\n{tests}")
    return list(lint(read_battery(path, environment={}), {}))


def asserting(assertion: str) -> str:
    return f"  - providerOutput: something\n    assert: [{assertion}]\n"


@pytest.mark.parametrize(
    "assertion",
    [
        "{type: regex, value: '.*'}",
        "{type: regex, value: 'a?'}",
        "{type: check, check: {kind: gate, measure: {kind: similarity}, cutoff: {at_least: -1}}}",
        "{type: check, check: {kind: drift_threshold, expected: hello, threshold: 2}}",
        "{type: assert-set, assert: [{type: regex, value: '.*'}]}",
    ],
)
def test_what_can_never_fail_is_found(assertion: str, tmp_path: Path) -> None:
    rules = {finding.rule for finding in found(tmp_path, asserting(assertion))}

    assert rules == {"never-fails"}


@pytest.mark.parametrize(
    "assertion",
    [
        "{type: contains, value: hello}",
        "{type: not-contains, value: hello}",
        "{type: regex, value: '^$'}",
        "{type: not-regex, value: 'damn'}",
        "{type: similar, value: hello, threshold: 0.7}",
        "{type: is-json}",
        "{type: python, value: 'len(output) < 10'}",
        "{type: not-is-refusal}",
        "{type: grounded, passages: The museum opens at nine.}",
    ],
)
def test_nothing_is_found_where_all_is_well(assertion: str, tmp_path: Path) -> None:
    assert found(tmp_path, asserting(assertion)) == []


def test_a_line_that_nobody_chose_is_found(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, asserting("{type: similar, value: hello}"))

    assert finding.rule == "no-threshold"
    assert "calibrate" in finding.says
    assert finding.place.endswith("battery.yaml:3:21")


def test_an_exemplar_in_two_clusters_is_found(tmp_path: Path) -> None:
    clusters = "{good: [It is fine., All well.], bad: [it is  FINE., It broke.]}"
    (finding,) = found(tmp_path, asserting(f"{{type: cluster, clusters: {clusters}, expected: good}}"))

    assert finding.rule == "exemplar-in-two-clusters"
    assert "`bad` and of `good`" in finding.says


def test_a_test_that_asks_the_same_as_another_is_found(tmp_path: Path) -> None:
    one = "providerOutput: a\n    assert: [{type: contains, value: b}]\n"
    findings = found(tmp_path, f"  - {one}  - description: the same by another name\n    {one}")

    assert [finding.rule for finding in findings] == ["duplicate-test"]
    assert "battery.yaml:2:5" in findings[0].says


def test_a_test_that_stands_there_again_by_an_alias_is_found(tmp_path: Path) -> None:
    first = "  - &t {providerOutput: a, assert: [{type: contains, value: b}]}\n"

    assert [finding.rule for finding in found(tmp_path, f"{first}  - *t\n")] == ["duplicate-test"]


def test_the_command_tells_what_it_found_and_ends_with_one(tmp_path: Path) -> None:
    path = tmp_path / "battery.yaml"
    path.write_text(f"tests:\n{asserting('{type: similar, value: hello}')}")
    told, data = typed("lint", str(path)), typed("lint", str(path), "--json")

    assert told.exit_code == data.exit_code == 1
    assert "1 thing to look at" in told.output
    assert json.loads(data.output)["findings"][0]["rule"] == "no-threshold"


def test_a_missing_judge_is_found_before_anything_is_run(tmp_path: Path) -> None:
    path = tmp_path / "battery.yaml"
    path.write_text(
        f"tests:\n{asserting('{type: contains, value: hello}')}"
        + asserting(
            "{type: llm-rubric, value: polite}, {type: assert-set, assert: [{type: answer-relevance}]}, "
            "{type: means, value: hello}, {type: not-llm-rubric, value: rude, when: unsure}"
        )
    )
    found = typed("lint", str(path))

    says = "3 assertions ask a judge; none is set: SENSECHECK_JUDGE=openai:URL#MODEL  [no-judge]"
    assert f"{path}:4:5: {says}" in found.stdout.replace("\n", "")
    assert found.exit_code == 1
    assert typed("lint", str(path), SENSECHECK_JUDGE="openai:http://localhost:1/v1#m").exit_code == 0


def test_the_command_ends_with_two_for_a_battery_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "battery.yaml"
    path.write_text("tests:\n  - assertt: []\n")
    done = typed("lint", str(path))

    assert done.exit_code == 2
    assert f"{path}:2:5" in done.output.replace("\n", "")


def test_exemplars_that_a_card_was_fitted_on_are_found(tmp_path: Path) -> None:
    clusters = {
        "thanks": ["Thank you so much!", "Thanks, that helped."],
        "complaint": ["This is broken.", "I want my money back."],
    }
    rows = [{"answer": f"Thank you for {n}.", "label": "good"} for n in range(80)]
    rows += [{"answer": f"I hate {n}.", "label": "bad"} for n in range(80)]
    rows += [{"answer": clusters["thanks"][0], "label": "good"}]
    labels, cards = tmp_path / "labels.jsonl", tmp_path / "cards"
    labels.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    measure = {"kind": "cluster_margin", "clusters": clusters, "wanted": "thanks"}
    (tmp_path / "measure.json").write_text(json.dumps(measure))
    made = typed(
        *("calibrate", str(labels), "--measure", str(tmp_path / "measure.json"), "--name", "thanks"),
        *("--fpr", "0.5", "--confidence", "0.8", "--out", str(cards)),
    )
    assert made.exit_code == 0, made.output
    check = {"kind": "gate", "measure": measure, "cutoff": "thanks"}
    battery = tmp_path / "battery.yaml"
    battery.write_text(f"tests:\n{asserting(json.dumps({'type': 'check', 'check': check}))}")
    here = typed("lint", str(battery), SENSECHECK_CARDS=str(cards))
    labels.rename(tmp_path / "elsewhere.jsonl")
    gone = typed("lint", str(battery), SENSECHECK_CARDS=str(cards))

    assert "exemplar-in-calibration-set" in here.output
    assert "1 of the 161 answers" in here.output
    assert "calibration-set-not-found" in gone.output
    assert here.exit_code == gone.exit_code == 1
