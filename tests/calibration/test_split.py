"""Groups stay together, hashes decide, and nothing depends on the order of rows."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.calibration.split import Labelled, how_many_held_out, one_each, split

GROUPED = st.lists(
    st.builds(
        Labelled,
        st.sampled_from([0.1, 0.2, 0.3]),
        st.booleans(),
        st.sampled_from("abcdefghij"),
        st.dictionaries(st.just("model"), st.sampled_from("xy")),
    ),
    max_size=40,
)
SHARES = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9])


def key(row: Labelled) -> tuple[float, bool, str | None, str]:
    return row.value, row.good, row.group, row.slices.get("model", "")


@given(rows=GROUPED, share=SHARES, seed=st.integers(0, 5))
def test_a_group_is_on_one_side_and_no_row_is_lost(rows: list[Labelled], share: float, seed: int) -> None:
    fitted, held_out = split(rows, share_held_out=share, seed=seed)

    assert not {row.group for row in fitted} & {row.group for row in held_out}
    assert sorted(map(key, fitted + held_out)) == sorted(map(key, rows))


@given(rows=GROUPED, share=SHARES, seed=st.integers(0, 5), shuffled=st.randoms(use_true_random=False))
def test_the_order_of_grouped_rows_does_not_matter(
    rows: list[Labelled], share: float, seed: int, shuffled: random.Random
) -> None:
    once = [
        sorted(map(key, one_each(part, seed=seed))) for part in split(rows, share_held_out=share, seed=seed)
    ]
    shuffled.shuffle(rows)
    again = [
        sorted(map(key, one_each(part, seed=seed))) for part in split(rows, share_held_out=share, seed=seed)
    ]

    assert once == again


@given(good=st.integers(2, 60), bad=st.integers(2, 60), share=st.floats(0.01, 0.99), seed=st.integers(0, 9))
def test_both_labels_are_on_both_sides(good: int, bad: int, share: float, seed: int) -> None:
    rows = [Labelled(0.5, i < good) for i in range(good + bad)]

    for part in split(rows, share_held_out=share, seed=seed):
        assert {row.good for row in part} == {True, False}


@given(rows=GROUPED, seed=st.integers(0, 5))
def test_a_group_counts_once_for_each_label(rows: list[Labelled], seed: int) -> None:
    kept = [(row.group, row.good) for row in one_each(rows, seed=seed)]

    assert sorted(kept, key=str) == sorted({(row.group, row.good) for row in rows}, key=str)


def test_rows_of_no_group_count_each() -> None:
    rows = [Labelled(0.5, True)] * 4

    assert one_each(rows, seed=0) == rows


def test_a_group_and_a_row_of_the_same_name_are_two() -> None:
    rows = [Labelled(0.1, True), Labelled(0.2, True, "0"), Labelled(0.3, True, "row 0")]

    assert len(one_each(rows, seed=0)) == 3
    assert sum(map(len, split(rows, share_held_out=0.5, seed=0))) == 3


def test_another_seed_is_another_split() -> None:
    rows = [Labelled(i, i % 2 == 0, f"prompt {i}") for i in range(60)]
    sides = {tuple(sorted(r.value for r in split(rows, share_held_out=0.3, seed=s)[1])) for s in range(5)}

    assert len(sides) == 5


def test_the_split_is_the_same_on_every_machine() -> None:
    rows = [Labelled(i, i % 2 == 0, f"prompt {i}") for i in range(20)]
    _, held_out = split(rows, share_held_out=0.3, seed=7)

    assert sorted(int(row.value) for row in held_out) == [1, 4, 5, 6, 7, 14]


def test_which_row_of_a_group_counts_is_left_to_chance() -> None:
    rows = [Labelled(member, True, f"{group}") for group in range(300) for member in range(3)]
    kept = [row.value for row in one_each(rows, seed=3)]

    assert [kept.count(member) for member in range(3)] == pytest.approx([100, 100, 100], abs=30)


@pytest.mark.parametrize(("units", "share", "aside"), [(85, 0.3, 26), (10, 0.0, 0), (1, 0.9, 0), (2, 0.9, 1)])
def test_the_share_is_rounded_and_no_side_is_empty(units: int, share: float, aside: int) -> None:
    assert how_many_held_out(units, share) == aside
