"""The benchmark of answers counts what it says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.figures.answers import answers, pairs
from benchmarks.quality.answer_figures import correlated, spearman
from benchmarks.quality.answer_metrics import METRICS, read_answers
from benchmarks.quality.answers import missed_goals
from models.correctness.fit import TOLD, fit, taught
from models.correctness.rows import FILE, Row, gold_rows, reference_rows
from models.correctness.table import Mask, Numbers, Table, table_of
from models.correctness.unseen import scores, unseen_questions, unseen_systems
from models.heads.public import rows_of

from sensecheck.config import Settings
from sensecheck.core.backends import Encoder
from sensecheck.measures.correctness.features import AGAINST, FEATURES
from tests.benchmarks.small_results import RESULTS

QUESTION = "when did toyota first come to the united states"
RIGHT = "Toyota opened its first office in the United States in 1957."
CORRECT = np.arange(200) % 2 == 0


def row(answer: str, *expected: str, correct: bool = True, question: str = QUESTION) -> Row:
    return Row(answer, expected, correct, question, "evouna", question, "gpt4", ("gpt4",))


def made(correct: Mask, **features: Numbers) -> Table:
    """A table in which these features have these values and everything else is 0."""
    numbers = np.zeros((len(correct), len(FEATURES)))
    for name, values in features.items():
        numbers[:, FEATURES.index(name)] = values
    rows = [row("a", "b", correct=bool(label), question=str(at)) for at, label in enumerate(correct)]
    return Table(rows, numbers, np.arange(len(correct)))


def tables(**held: Numbers) -> dict[str, Table]:
    """Answers with these features, of which every second is correct; and changed sentences."""
    answered = made(CORRECT, **held)
    negated = made(CORRECT, held=np.ones(200), negation=np.where(CORRECT, 0.0, 1.0))
    return {"evouna": answered, "references": answered, "changed": negated}


def by(table: Table, *systems: str) -> Table:
    """The same rows, written by these systems in turn."""
    writers = (systems[at % len(systems)] for at in range(len(table.rows)))
    rows = [replace(each, kind=who, makers=(who,)) for each, who in zip(table.rows, writers, strict=True)]
    return replace(table, rows=rows)


def test_ranks_are_correlated_and_ties_share_one() -> None:
    values, scores = np.array([1.0, 2.0, 2.0, 4.0]), np.array([10.0, 30.0, 20.0, 40.0])

    assert spearman(values, scores, np.ones(4)) == pytest.approx(0.9486832980505138)
    assert spearman(values, -scores, np.ones(4)) == pytest.approx(-0.9486832980505138)
    assert np.isnan(spearman(np.ones(4), scores, np.ones(4)))


def test_a_row_that_weighs_two_stands_twice() -> None:
    values, scores = np.array([1.0, 2.0, 3.0]), np.array([2.0, 1.0, 3.0])
    twice = [0, 1, 1, 2]

    weighed = spearman(values, scores, np.array([1.0, 2.0, 1.0]))

    assert weighed == pytest.approx(spearman(values[twice], scores[twice], np.ones(4)))


def test_the_interval_of_a_correlation_holds_it() -> None:
    chance = np.random.default_rng(0)
    values = chance.normal(size=200)

    found = correlated(values, values + chance.normal(size=200), np.arange(200).astype(str))

    assert found["low"] < found["value"] < found["high"] < 1


def test_every_metric_reads_the_best_alternative(minilm: Encoder) -> None:
    read = read_answers([row(RIGHT, "1964", "1957"), row(RIGHT, "1957"), row(RIGHT, "1964")], minilm)

    assert read.left_out == 0
    assert set(read.metrics) == set(METRICS)
    for name, (both, right, wrong) in read.metrics.items():
        assert both == max(right, wrong), name
    assert len(read.table.numbers) == 4


def test_a_row_that_the_encoder_cannot_read_is_left_out_and_counted(minilm: Encoder) -> None:
    read = read_answers([row(RIGHT, "1957"), row("🦄🦄🦄🦄", "1957")], minilm)

    assert (len(read.table.rows), read.left_out) == (1, 1)
    assert len(table_of([row("🦄🦄🦄🦄", "1957")], minilm).rows) == 0


def test_the_best_line_of_each_row_counts() -> None:
    table = Table([row("a", "b", "c"), row("a", "b")], np.zeros((3, len(FEATURES))), np.array([0, 0, 1]))

    assert table.best_lines(np.array([1.0, 3.0, 2.0])).tolist() == [1, 2]
    assert table.best(np.array([5.0, 3.0, 2.0])).tolist() == [5.0, 2.0]


def test_a_fitted_weight_never_has_the_wrong_sign() -> None:
    upside_down = tables(held=np.where(CORRECT, 0.0, 1.0))

    found = fit(taught(upside_down, lambda each: True))

    weights = dict(zip(FEATURES, found.weights, strict=True))
    assert weights["held"] == 0.0
    assert all(weights[name] <= 0 for name in AGAINST)


def test_a_change_outweighs_all_words_that_are_the_same() -> None:
    found = fit(taught(tables(held=np.where(CORRECT, 1.0, 0.0)), lambda each: True))

    weights = dict(zip(FEATURES, found.weights, strict=True))
    assert weights["held"] > 1
    assert found.bias + weights["held"] > 0 > found.bias + weights["held"] + weights["negation"]
    assert all(weights[name] == 0 for name in TOLD if name != "negation")


def test_only_rows_that_may_be_seen_are_learned_from() -> None:
    given = taught(tables(), lambda each: each.fold != 0)

    assert not any(each.chosen[each.table.folds == 0].any() for each in given.values())
    assert all(each.chosen[each.table.folds == 1].all() for each in given.values())


def test_a_model_is_asked_about_every_row_that_it_has_not_seen_and_no_other() -> None:
    given = tables(held=np.where(CORRECT, 1.0, 0.0))
    models = unseen_questions(given)

    asked = np.array([each.asked(given["evouna"]) for each in models])
    assert asked.sum(axis=0).tolist() == [1] * 200
    assert not np.isnan(scores(models, given["evouna"])).any()
    assert np.isnan(scores(models[1:], given["evouna"]))[asked[0]].all()


def test_nothing_that_a_system_wrote_is_learned_from_when_it_is_asked_about() -> None:
    given = {name: by(each, "us") for name, each in tables(held=np.where(CORRECT, 1.0, 0.0)).items()}
    given["evouna"] = by(given["evouna"], "fid", "gpt4", "gpt4")

    first = unseen_systems(given)[0]

    assert (first.fold, first.system) == (0, "fid")
    expected = fit(taught(given, lambda each: each.fold != 0 and each.kind != "fid"))
    assert first.model.weights.tolist() == expected.weights.tolist()
    asked = np.flatnonzero(first.asked(given["evouna"])).tolist()
    assert {given["evouna"].rows[at].kind for at in asked} == {"fid"}


def test_a_missed_goal_is_told() -> None:
    found = {"table": "answers", "metric": "recall and cosine", "auroc": {"value": 0.91}}

    assert list(missed_goals(found)) == ["recall and cosine: AUROC 0.910; wanted at least 0.93"]
    assert not list(missed_goals({**found, "auroc": {"value": 0.93}}))
    assert not list(missed_goals({**found, "metric": "cosine"}))


def test_the_tables_show_each_metric_with_its_systems_and_sets() -> None:
    told, paired = answers(RESULTS["answers"]), pairs(RESULTS["answers"])

    assert "| metric | AUROC | separator not named | longer reference | fid |" in told
    assert f"| cosine |{' 0.812 (0.790–0.833) |' * 3} 0.812 |" in told
    assert "15,000 answers to 3,010 questions, 11,000 of them correct; 94 with a text" in told
    assert "For 7,000 of the answers, alternatives are expected" in told
    assert "A longer reference exists for 13,000 answers, 10,000 of them correct" in told
    assert f"| cosine |{' 0.812 (0.790–0.833) |' * 3}" in paired


def test_the_public_set_is_read_with_its_alternatives_and_references() -> None:
    folder = Settings.from_environment().data
    if not folder:
        pytest.skip("SENSECHECK_DATA does not name a folder of labelled public data")
    data = Path(folder)
    golds, references = list(gold_rows(data)), list(reference_rows(data))

    assert len(golds) == sum(bool((each["answer"] or "").strip()) for each in rows_of(data, FILE))
    assert ("Ravi River", "the Ravi River") in {each.expected for each in golds}
    assert all(each.makers[0] != each.makers[1] for each in references)
    assert len({each.fold for each in golds if each.question == golds[0].question}) == 1
