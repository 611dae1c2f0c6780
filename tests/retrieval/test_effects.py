"""What guards did to labelled retrievals, counted."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import EncoderError, SampleError, SpecError
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval.chain import Chain, chain
from sensecheck.retrieval.effects import effects_of
from sensecheck.retrieval.effects_report import csv_text
from sensecheck.retrieval.item_effects import DroppedCounts
from sensecheck.retrieval.labels import LabelledMatches, LabelledReference, LabelledRow, measured_rows
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Step
from sensecheck.retrieval.stage import StageContext
from sensecheck.retrieval.stages.limits import top, within_chars
from sensecheck.retrieval.stages.ranking import rerank
from sensecheck.retrieval.stages.threshold import above


def row(item: str, *told: tuple[str, float, bool | None]) -> LabelledMatches:
    """A query about an item, with the text, the similarity and the label of each match."""
    matches = tuple(Match(text, closeness) for text, closeness, _ in told)
    return LabelledMatches(item, f"about {item}", matches, tuple(label for *_, label in told))


ROWS = [
    row("sleep", ("aaaa", 0.9, True), ("bbbb", 0.8, False), ("cc", 0.3, False), ("dd", 0.2, True)),
    row("mood", ("a" * 8, 0.9, False), ("bbbb", 0.7, True), ("cccc", 0.6, None)),
    row("sleep", ("ee", 0.1, True)),
]
GUARDS = chain(above(0.5), top(2), within_chars(8))


def test_each_item_is_counted_before_and_after() -> None:
    sleep, mood = effects_of(ROWS, GUARDS).items

    assert (sleep.item, sleep.position, mood.item, mood.position) == ("sleep", 1, "mood", 2)
    assert (sleep.effect.before.references, sleep.effect.after.references) == (5, 2)
    assert (sleep.effect.before.relevant, sleep.effect.after.relevant) == (3, 1)
    assert (sleep.effect.before.irrelevant, sleep.effect.after.irrelevant) == (2, 1)
    assert (sleep.effect.before.coverage, sleep.effect.after.coverage) == (1.0, 0.5)
    assert (sleep.effect.before.relevant_coverage, sleep.effect.after.relevant_coverage) == (1.0, 0.5)
    assert (sleep.effect.before.chars, sleep.effect.after.chars) == (14, 8)
    assert sleep.effect.dropped == {"above": DroppedCounts(relevant=2, irrelevant=1)}
    assert mood.effect.dropped == {
        "top": DroppedCounts(unlabelled=1),
        "within_chars": DroppedCounts(relevant=1),
    }
    assert mood.effect.after.relevant_coverage == 0
    assert mood.effect.kept_by_budget == 0.5


def test_the_whole_is_the_sum_of_the_items() -> None:
    found = effects_of(ROWS, GUARDS)
    data = found.to_data()["overall"]

    assert (data["before"]["references"], data["after"]["references"]) == (8, 3)
    assert (data["relevant_lost"], data["irrelevant_removed"]) == (3, 1)
    assert data["dropped"] == {
        "above": {"references": 3, "relevant": 2, "irrelevant": 1, "unlabelled": 0},
        "top": {"references": 1, "relevant": 0, "irrelevant": 0, "unlabelled": 1},
        "within_chars": {"references": 1, "relevant": 1, "irrelevant": 0, "unlabelled": 0},
    }
    assert data["budgets"] == {"within_chars": {"unit": "chars", "used": 16, "budget": 24}}
    assert found.stages == ("above", "top", "within_chars")


def test_a_query_is_lost_with_its_last_relevant_reference_and_it_is_told_to_whom() -> None:
    lost = effects_of(ROWS, GUARDS).to_data()["lost"]

    assert [(one["item"], [gone["stage"] for gone in one["references"]]) for one in lost] == [
        ("mood", ["within_chars"]),
        ("sleep", ["above"]),
    ]
    assert lost[1]["references"][0] == {
        "text": "ee",
        "closeness": 0.1,
        "stage": "above",
        "because": "its similarity 0.1 is below the cutoff: at least 0.5 (uncalibrated)",
    }


def test_what_is_lost_is_found_again_by_its_ids() -> None:
    match = Match("text", 0.1, "a.md", id="r7")
    asked = LabelledMatches("all", "q", (match,), (True,), id=7)

    (lost,) = effects_of([asked], chain(above(0.5))).to_data()["lost"]

    assert (lost["id"], lost["references"][0]["id"], lost["references"][0]["source"]) == (7, "r7", "a.md")


def test_who_had_nothing_relevant_and_who_keeps_some_lost_nothing() -> None:
    rows = [
        row("a", ("x", 0.1, False), ("y", 0.1, None)),
        row("b", ("x", 0.9, True), ("y", 0.1, True)),
        row("c"),
    ]

    assert effects_of(rows, chain(above(0.5))).lost == ()


def test_queries_without_a_label_say_nothing_of_what_is_covered() -> None:
    rows = [row("a", ("x", 0.9, None)), row("b", ("x", 0.9, True)), row("b", ("x", 0.1, True))]

    found = effects_of(rows, chain(above(0.5)))

    a, b = (one.effect for one in found.items)
    assert (a.before.relevant_coverage, a.after.relevant_coverage) == (None, None)
    assert (b.before.relevant_coverage, b.after.relevant_coverage) == (1.0, 0.5)
    assert (found.overall.before.queries_labelled, found.overall.after.relevant_coverage) == (2, 0.5)


@pytest.mark.parametrize(
    ("items", "differ"), [(["a"] * 3, False), (["a", "b", "c"], False), (["a", "b", "a"], True)]
)
def test_items_are_held_against_each_other_if_there_are_several_of_several_queries(
    items: list[str], differ: bool
) -> None:
    rows = [row(item, ("x", 0.9, True)) for item in items]

    assert effects_of(rows, chain()).items_differ is differ


def test_no_guard_changes_nothing() -> None:
    overall = effects_of(ROWS, chain()).overall

    assert overall.before == overall.after
    assert overall.dropped == {}
    assert effects_of(ROWS, chain()).trend is None


@given(
    st.lists(
        st.lists(st.tuples(st.text(max_size=9), st.floats(-1, 1), st.sampled_from([True, False, None]))),
        min_size=1,
        max_size=6,
    ),
    st.floats(-1, 1),
    st.integers(1, 4),
    st.integers(1, 30),
)
def test_every_reference_is_kept_or_dropped_by_some_stage(
    queries: list[list[tuple[str, float, bool | None]]], line: float, most: int, chars: int
) -> None:
    rows = [row(f"item {index % 2}", *told) for index, told in enumerate(queries)]

    overall = effects_of(rows, chain(above(line), top(most), within_chars(chars, over="truncate"))).overall

    gone = sum(overall.dropped.values(), start=DroppedCounts())
    for label in ("references", "relevant", "irrelevant", "unlabelled"):
        assert getattr(overall.after, label) + getattr(gone, label) == getattr(overall.before, label)
    for given_ in (overall.before, overall.after):
        assert given_.relevant + given_.irrelevant + given_.unlabelled == given_.references
    assert overall.after.chars <= chars * len(queries)


def test_equal_references_of_one_query_are_told_apart() -> None:
    twins = row("sleep", ("same", 0.9, True), ("same", 0.9, False))

    after = effects_of([twins], chain(top(1))).overall.after

    assert (after.relevant, after.irrelevant) == (1, 0)


def test_a_reference_keeps_its_label_when_it_is_cut_or_measured_anew() -> None:
    one = row("sleep", ("early to bed", 0.2, True), ("nothing of the kind", 0.9, False))
    answerers = Backends(HashingEncoder())
    asked = replace(one, query="early to bed")

    found = effects_of([asked], chain(rerank(), within_chars(5, over="truncate")), answerers).overall

    assert (found.after.relevant, found.after.irrelevant) == (1, 0)
    assert (found.cut, found.after.chars) == (1, 5)


def test_a_budget_that_leaves_less_to_late_items_is_found_out() -> None:
    rows = [
        row(f"item {place}", *((letter * (4 + 4 * place), 0.9, True) for letter in "abc"))
        for _ in range(20)
        for place in range(9)
    ]

    trend = effects_of(rows, chain(within_chars(36))).trend

    assert trend is not None
    assert trend.correlation < -0.8
    assert (trend.claim, trend.items) == ("below", 9)


def test_items_that_stand_anywhere_make_no_trend_however_many_queries_they_have() -> None:
    rng, claimed = np.random.default_rng(1), 0
    for trial in range(60):
        lengths = rng.permutation(8)
        rows = [
            row(f"item {place}", *((letter * (4 + 4 * int(lengths[place])), 0.9, True) for letter in "abc"))
            for place in range(8)
            for _ in range(10)
        ]
        trend = effects_of(rows, chain(within_chars(36)), seed=trial).trend
        claimed += trend is not None and trend.claim != "chance"

    assert claimed <= 7


def test_two_budgets_of_one_name_are_told_apart() -> None:
    rows = [row("sleep", ("a" * 30, 0.9, True), ("b" * 10, 0.8, True), ("c" * 20, 0.7, False))] * 2

    found = effects_of(rows, chain(within_chars(45), within_chars(35)))

    budgets = found.to_data()["overall"]["budgets"]
    assert budgets == {
        "within_chars": {"unit": "chars", "used": 80, "budget": 90},
        "within_chars_2": {"unit": "chars", "used": 60, "budget": 70},
    }
    assert (found.overall.dropped_by_budget, found.overall.kept_by_budget) == (4, 1 / 3)
    assert "within_chars_used,within_chars_budget,within_chars_2_used,within_chars_2_budget" in csv_text(
        found
    )


@dataclass(frozen=True)
class Odd:
    """A stage that does what none should."""

    makes: str
    name: str = "odd"

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        if self.makes == "fewer":
            return Step(tuple(matches[1:]))
        if self.makes == "twice":
            return Step((*matches[1:], matches[1]))
        return Step(tuple(replace(match, metadata={}) for match in matches))


@pytest.mark.parametrize("makes", ["fewer", "twice", "others"])
def test_a_stage_that_loses_doubles_or_remakes_references_is_an_error(makes: str) -> None:
    with pytest.raises(
        SpecError, match=r"a stage loses references, or makes new ones|wanted each of them in one of the two"
    ):
        effects_of(ROWS[:1], Chain((Odd(makes),)))


def test_nothing_is_nothing_to_tell_of() -> None:
    with pytest.raises(SampleError, match="no labelled retrievals"):
        effects_of([], GUARDS)


def test_closeness_that_did_not_come_along_is_measured(minilm: Encoder) -> None:
    rows = [
        LabelledRow("given", "q", (LabelledReference("a", True, 0.5, "s", {"k": 1}),)),
        LabelledRow(
            "measured",
            "How long is the lake open?",
            (
                LabelledReference("The lake is open until nine.", True, source="lake.md"),
                LabelledReference("Bread needs flour.", False, metadata={"k": 2}),
            ),
        ),
        LabelledRow("empty", "q", ()),
    ]

    first, second, third = measured_rows(rows, minilm)

    assert first.matches == (Match("a", 0.5, "s", {"k": 1}),)
    assert [match.source for match in second.matches] == ["lake.md", ""]
    assert second.matches[0].closeness > second.matches[1].closeness + 0.3
    assert second.matches[1].metadata == {"k": 2}
    assert second.matches[0].encoder == minilm.fingerprint
    assert third.matches == ()


def test_without_an_encoder_closeness_cannot_be_measured() -> None:
    with pytest.raises(EncoderError, match="1 queries came without similarity"):
        list(measured_rows([LabelledRow("a", "q", (LabelledReference("x"),))], None))


def test_labelled_references_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SampleError, match="1 of 2 have one"):
        LabelledRow("a", "q", (LabelledReference("x", closeness=0.1), LabelledReference("y")))
    with pytest.raises(SampleError, match="must be a cosine"):
        LabelledReference("x", closeness=1.5)
    with pytest.raises(SampleError, match="`encoder` says whose similarity"):
        LabelledReference("x", encoder="some")
    with pytest.raises(SampleError, match="1 matches and 0 labels"):
        LabelledMatches("a", "q", (Match("x", 0.1),), ())


def test_the_table_has_a_row_an_item_and_no_formula() -> None:
    rows = [*ROWS, row("=HYPERLINK(1)", ("x", 0.9, True))]

    table = list(csv.DictReader(io.StringIO(csv_text(effects_of(rows, GUARDS)))))

    assert [one["item"] for one in table] == ["sleep", "mood", "'=HYPERLINK(1)"]
    assert table[1]["dropped_by_within_chars"] == "1"
    assert table[1]["relevant_dropped_by_within_chars"] == "1"
    assert table[1]["unlabelled_dropped_by_top"] == "1"
    assert table[0]["irrelevant_dropped_by_above"] == "1"
    assert table[1]["within_chars_used"] == "8"
    assert table[1]["within_chars_budget"] == "8"
    assert table[0]["relevant_coverage_after"] == "0.5"
