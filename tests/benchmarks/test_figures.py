"""Each marker shows what was measured, in words that people read."""

import json
from pathlib import Path

import pytest
from benchmarks.figures import FIGURES, figures

from tests.benchmarks.small_results import RESULTS

MEASURED = Path(__file__).parents[2] / "benchmarks" / "results"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder of small results."""
    for name, data in RESULTS.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    return tmp_path


def test_the_speed_table_says_which_goals_are_missed(results: Path) -> None:
    text = figures("speed", results)

    assert "| One by other | at least 20 | **41** | yes |" in text
    assert "| This by that | at most 1.5 | **1.75** | **no** |" in text
    assert "| For the record | none | **0.5** |  |" in text


def test_the_weight_is_shown_with_and_without_the_model(results: Path) -> None:
    text = figures("weight", results)

    assert "| `sensecheck` | 5 | 40.5 MB |" in text
    assert "| `sensecheck[local]` | 9 | 157 MB |" in text


def test_rules_stand_side_by_side_right_before_wrong(results: Path) -> None:
    text = figures("defaults_meaning", results)

    head = "| set | label | expected | rows | `means` right | `means` wrong | `drift_threshold` right |"
    assert head in text
    assert "| sick | contradiction | fail | 100 | 50.0% (40.0–60.0) | 10.0% (40.0–60.0) | 50.0%" in text


def test_two_readers_stand_one_above_the_other(results: Path) -> None:
    rows = [line for line in figures("trials", results).splitlines() if line.startswith("| `")]

    assert [row.split(" | ")[:2] for row in rows] == [
        ["| `means`", "the one before"],
        ["| `means`", "the one that ships"],
        ["| `grounded`", "the one before"],
        ["| `grounded`", "the one that ships"],
    ]


def test_a_promise_is_shown_with_how_often_it_is_broken(results: Path) -> None:
    text = figures("promise", results)

    assert "| fits that let more than 5% of the bad pass |" in text
    assert "| simulated | `exact` | 50.0% (40.0–60.0) | 2.0% | 63.3% |" in text
    assert "5,000 fits of each, on 100 good and 100 bad readings." in text


def test_a_promise_for_verdicts_is_shown_beside_what_chance_alone_does(results: Path) -> None:
    text = figures("verdict_promise", results)

    assert "| promised: at most 20% of | answers of | splits |" in text
    assert (
        "| `default` | verdicts, by the number of claims | bad answers that pass | 8 claims or more | 200 "
        "| 4.2% | 50.0% (40.0–60.0) | 6.1% | 50.0% (40.0–60.0) |"
    ) in text
    alone = "| the reading alone, one cutoff for all | bad answers that pass | 8 claims or more | 200 | 4.2% "
    assert f"{alone}| 50.0% (40.0–60.0) |  | 50.0% (40.0–60.0) |" in text
    assert "both promised" not in text
    assert "| 3 | 4.2% |" not in text
    assert "200 random splits of 148 questions with 829 answers, 160 of them bad." in text


def test_vectors_in_fewer_bits_are_shown_with_the_decisions_that_they_flip(results: Path) -> None:
    text = figures("precision", results)

    assert "| sick | float32 | 1,536 | 0.00000 | 0 of 1,000 | 0 of 61,000 | 0 |" in text
    assert "| sick | float16 | 768 | 0.00008 | 1 of 1,000 | 5 of 61,000 | 0 |" in text
    assert "the 61 from 0.3 to 0.9; the band of doubt reaches 0.005 to either side." in text


def test_refusals_are_shown_by_rule_with_how_well_the_head_ranks(results: Path) -> None:
    text = figures("refusals", results)

    assert f"| list of phrases |{' 50.0% (40.0–60.0) |' * 4}\n" in text
    assert "The head's AUROC is 0.994. Of 500 answers to harmless prompts" in text
    assert "| label by people | rows | head: answer | head: partial | head: refusal |" in text
    assert "| partial | 176 | 52 | 26 | 98 |" in text


def test_the_shipped_check_is_shown_by_set_and_label(results: Path) -> None:
    text = figures("refusals_shipped", results)

    assert f"| unseen | answer | 425 |{' 50.0% (40.0–60.0) |' * 3}\n" in text


def test_means_over_draws_say_that_they_are(results: Path) -> None:
    once, drawn = figures("refusals_chatgpt", results).splitlines()[-2:]

    assert once.endswith("| exact 95% interval |")
    assert drawn.endswith("| where 9 of 10 of 20 draws are; shares are means |")


def test_a_rule_that_decides_nothing_is_not_called_right(results: Path) -> None:
    text = figures("verdicts", results)

    assert "| stated verdict alone | decides nothing | 50.0% (40.0–60.0) | 0 |" in text
    assert "| head | 50.0% (40.0–60.0) of 430 | 50.0% (40.0–60.0) | 2 |" in text


def test_a_cascade_is_held_against_always_asking(results: Path) -> None:
    text = figures("cascade", results)

    assert "| always the judge | 100.0% | 50.0% (40.0–60.0) |  |" in text
    assert "| cascade | 4.1% | 50.0% (40.0–60.0) | +10.1 (-0.2 to +10.8) |" in text
    assert "at most 20% of the answers, without loss: met." in text


def test_a_second_opinion_is_shown_with_what_became_of_it(results: Path) -> None:
    text = figures("second_opinion", results)

    assert "| means | alone | 128 | 50.0% (40.0–60.0) | decides nothing |  |  |  |  |" in text
    assert "of 500 | 14 | 6, 5 of them right | 7, 7 of them right | 1 |" in text
    assert "by a large language model" in text


def test_many_pairs_are_shown_with_their_memory_and_what_is_missed(results: Path) -> None:
    text = figures("evals_100k", results)

    assert "| Bare by ours | 100,000 | at least 0.9 | **0.95** | 0.9 to 0.99 |" in text
    assert "| at most 1.1, **missed** | **1.2** |" in text
    assert (
        "88.1 pairs per CPU second. Peak memory in megabytes: 300 at 25%, 360 at 100% of the pairs." in text
    )


def test_peers_are_shown_apart_from_their_variants(results: Path) -> None:
    assert "| Theirs by ours, cold | 2,000 | at least 1.5 | **1.75** | 1.5 to 2 |" in figures(
        "rag_peers", results
    )
    assert "with caches" not in figures("rag_peers", results)
    assert "with caches" in figures("rag_peers_variants", results)


def test_parts_are_shown_with_what_a_library_takes_without_a_word(results: Path) -> None:
    assert "| `msgspec` 1.0 | this and that | 200 | 20 | 1 | 500 | **0.5** (0.4–0.6) |" in figures(
        "parts", results
    )
    message = "| `limits` | a \\| b | `a \\| b` is &lt;no> text | *takes it* |"
    assert message in figures("parts_messages", results)
    assert "| cards that we ship, and that are read | 4 | 1 |" in figures("parts_msgspec", results)
    assert "| round trips to Redis for one request | 1 | 12 |" in figures("parts_limits", results)


def test_what_a_claim_costs_is_shown_with_the_engines_that_were_refused(results: Path) -> None:
    text = figures("readers_speed", results)

    assert "| One claim by a bare pass | at most 1.3 | **1.04** | yes |" in text
    assert "median of 5 rounds; ONNX Runtime 1.31.1, OpenVINO 2026.4." in text
    assert "OpenVINO in bf16 was refused: this machine runs it in `f32`." in text


@pytest.mark.parametrize("name", FIGURES)
def test_everything_that_was_measured_can_be_shown(name: str) -> None:
    assert ("$ sensecheck" if name == "walk" else "| --- |") in figures(name, MEASURED)


def test_ways_to_tell_a_language_are_shown_with_their_weight_and_both_errors(results: Path) -> None:
    text = figures("languages", results)

    assert "| ours | 110 kB | Apache-2.0 | 0.30 ms | 50.0% (40.0–60.0) | 50.0% (40.0–60.0) | 50.0%" in text
    assert "1,000 English texts and 100 in other languages" in text


def test_changes_that_tests_notice_are_shown_with_how_many_were_tried(results: Path) -> None:
    shown = figures("mutation", results)

    assert shown.startswith("There are 40 such changes. A sample of 4 was tried. In brackets: ")
    assert "| **all** | 4 | " in shown
    assert "| `core` | 99.0% of 100 | 100.0% of 1 |" in figures("coverage_core", results)
