"""Metrics by name: those that come with sensecheck, and anybody's measures."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.evaluation.scorer import NamedEncoder, Panel
from sensecheck.measures.metrics import (
    ALL,
    CONTEXT,
    JUDGED,
    KINDS,
    KNOWN,
    SEMANTIC,
    STANDARD,
    metrics_named,
    standard_for,
)

WHOLE = Sample(
    "The hall opened in 1937.",
    question="When did the hall open?",
    expected="The hall opened in 1937.",
    passages=("The hall opened in 1937 and seats 900.",),
)


def test_every_known_metric_is_made_under_its_own_name_and_kind() -> None:
    made = metrics_named(ALL)

    assert [metric.name for metric in made] == list(ALL)
    assert [metric.kind for metric in made] == [KNOWN[name].kind for name in ALL]
    assert {metric.kind for metric in made} == set(KINDS)


def test_groups_are_made_of_known_metrics_and_described_in_one_line() -> None:
    for name in (*STANDARD, *SEMANTIC, *CONTEXT, *JUDGED):
        assert name in KNOWN
    for known in KNOWN.values():
        assert known.about
        assert "\n" not in known.about


def test_the_page_about_metrics_lists_them_all_in_these_words() -> None:
    page = (Path(__file__).parents[2] / "docs" / "nouns" / "metric.md").read_text(encoding="utf-8")

    for name, known in KNOWN.items():
        wanted = ", ".join(f"`{part}`" for part in known.wants)
        assert f"| `{name}` | {known.kind} | {known.about} | {wanted} |\n" in page


def test_a_perfect_answer_is_read_as_one_by_every_metric_that_compares(minilm: Encoder) -> None:
    panel = Panel(metrics_named((*STANDARD, *SEMANTIC)), (NamedEncoder("minilm", minilm),))
    (readings,) = panel.read_each([WHOLE])

    values = {one.metric: one.value for one in readings}
    assert list(values) == list(dict.fromkeys((*STANDARD, *SEMANTIC)))
    assert values.pop("correctness") == pytest.approx(1.0, abs=0.1)  # a chance, and never quite 1
    assert values == pytest.approx(dict.fromkeys(values, 1.0), abs=1e-3)


def test_what_is_standard_depends_on_what_the_questions_have() -> None:
    assert standard_for({"expected"}) == STANDARD
    assert standard_for({"question", "expected"}) == STANDARD
    assert standard_for({"question", "passages"}) == CONTEXT
    assert standard_for({"passages"}) == ("grounded",)
    assert standard_for({"question", "expected", "passages"}, judge=True) == (*STANDARD, *CONTEXT, *JUDGED)
    assert standard_for({"question"}, judge=True) == ("answer_relevance",)
    assert standard_for(()) == ()


@pytest.mark.parametrize("name", ALL)
def test_a_metric_applies_where_a_question_has_what_it_wants(name: str) -> None:
    (metric,) = metrics_named([name])
    held = {part: getattr(WHOLE, part) for part in KNOWN[name].wants}

    metric.measure.needs(Sample(WHOLE.answer, **held))
    for part in held:
        fewer = {other: text for other, text in held.items() if other != part}
        assert Panel((metric,)).read_each([Sample(WHOLE.answer, **fewer)]) == [()]


def test_any_registered_measure_is_a_metric_by_its_name() -> None:
    made = metrics_named(["keyword_overlap", "similarity", "bleu", "keyword_overlap"])

    assert [(one.name, one.uses_encoder) for one in made] == [
        ("keyword_overlap", False),
        ("similarity", True),
        ("bleu", False),
    ]
    assert made[2].measure.name == "sentence_bleu"  # ours comes before a measure of the same name


def test_a_name_that_nobody_knows_is_an_error_with_the_nearest() -> None:
    with pytest.raises(SpecError, match="`rogue_l` is not a known metric; did you mean `rouge_l`"):
        metrics_named(["bleu", "rogue_l"])


def test_a_measure_that_wants_fields_is_no_metric_by_its_name_alone() -> None:
    with pytest.raises(SpecError, match=r"`contains` cannot be a metric by its name alone: .*'texts'"):
        metrics_named(["contains"])


def loaded_by(code: str, *modules: str) -> list[str]:
    """Which of these modules a fresh process has loaded after some code."""
    told = f"import sys\n{code}\nprint([name for name in {modules!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return list(ast.literal_eval(done.stdout))


def test_names_cost_no_numpy_and_lexical_metrics_no_other_kind() -> None:
    catalogue = "from sensecheck.measures.metrics import LEXICAL, metrics_named"
    others = [
        f"sensecheck.measures.{name}"
        for name in ("judged", "support.groundedness", "correctness.model", "facts.agreement")
    ]

    assert loaded_by(catalogue, "numpy", "sqlalchemy") == []
    assert loaded_by(f"{catalogue}\nmetrics_named(LEXICAL)", "sqlalchemy", *others) == []
