"""The weight of semantic similarity, recommended only where labels support it."""

import numpy as np
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs.agreement import WeightSuggestion, suggest_weight
from sensecheck.runs.record import RunTable
from tests.runs.tables import NA, table


def labelled(n: int, *, share: float, seed: int = 0, scale: bool = False) -> RunTable:
    """Answers whose goodness is so much one of meaning, and for the rest one of words."""
    drawn = np.random.default_rng(seed)
    words, meaning, luck = drawn.uniform(size=(3, n))
    good = (1 - share) * words + share * meaning + 0.3 * luck
    said = good if scale else (good > np.median(good)).astype(np.float64)
    return table(
        {"lexical_aggregate": words, "semantic_similarity@minilm": meaning}, labels={"correct": said}
    )


def suggested(n: int, *, share: float, seed: int = 0, scale: bool = False) -> WeightSuggestion:
    return suggest_weight(labelled(n, share=share, seed=seed, scale=scale), "correct")


@pytest.mark.parametrize("scale", [False, True])
def test_the_weight_that_made_the_labels_is_found(scale: bool) -> None:
    found = suggested(600, share=0.6, scale=scale)

    assert found.by == ("spearman" if scale else "auroc")
    assert found.weight is not None
    assert 0.5 <= found.weight <= 0.7
    assert found.gain is not None
    assert found.gain.low is not None
    assert 0 < found.gain.low < found.gain.value
    assert dict(found.curve)[found.weight] == max(value for _, value in found.curve)


def test_where_meaning_says_nothing_no_weight_is_recommended() -> None:
    found = suggested(300, share=0.0)

    assert found.weight is None
    assert found.because.startswith("no weight can be recommended: 300 questions with labels, and the gain")
    assert found.because.endswith("is within chance")


def test_a_gain_of_chance_is_seldom_recommended() -> None:
    claimed = [suggested(80, share=0.0, seed=seed).weight is not None for seed in range(100)]

    assert sum(claimed) <= 5


@pytest.mark.parametrize(
    ("n", "good", "because"),
    [
        (30, 15, "30 questions have a label and both numbers; wanted at least 50"),
        (80, 4, "4 questions have an answer labelled 1, and 76 one labelled 0; wanted at least 10 of each"),
    ],
)
def test_from_too_few_labels_nothing_is_recommended(n: int, good: int, because: str) -> None:
    values = np.linspace(0, 1, n)
    said = (np.arange(n) < good).astype(np.float64)
    found = suggest_weight(
        table({"lexical_aggregate": values, "semantic_similarity": values}, labels={"correct": said}),
        "correct",
    )

    assert found.weight is None
    assert found.because == f"no weight can be recommended: {because}"
    assert found.to_data()["gain"] is None


def test_a_metric_that_says_the_same_of_all_answers_cannot_be_weighed() -> None:
    said = np.tile([0.0, 1.0], 40)
    held = table({"lexical_aggregate": said, "semantic_similarity": said * 0}, labels={"correct": said})

    assert "`semantic_similarity` is the same for all answers" in suggest_weight(held, "correct").because


def test_answers_that_one_of_them_could_not_read_are_left_out() -> None:
    held = labelled(200, share=0.5)
    held.values[:20, 1] = NA

    assert suggest_weight(held, "correct").n == 180


def test_a_run_without_both_metrics_is_an_error_and_so_are_two_encoders() -> None:
    with pytest.raises(SpecError, match="the runs have no `lexical_aggregate`"):
        suggest_weight(table({"semantic_similarity": [0.1]}, labels={"correct": [1]}), "correct")
    columns = {"lexical_aggregate": [0.1], "semantic_similarity@a": [0.2], "semantic_similarity@b": [0.3]}
    with pytest.raises(SpecError, match="read by several encoders: `a`, `b`"):
        suggest_weight(table(columns, labels={"correct": [1]}), "correct")
    assert suggest_weight(table(columns, labels={"correct": [1]}), "correct", encoder="b").encoder == "b"
