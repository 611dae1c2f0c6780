"""The arithmetic of measuring large runs, and the rows that they are measured with."""

import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from benchmarks.scale.family import family, peak_of_children
from benchmarks.scale.made_rows import ANSWERS, write_rows
from benchmarks.scale.real_pairs import UNKNOWN, pairs, repeated, texts_of
from benchmarks.scale.run_shape import RunShape
from benchmarks.scale.turns import Turn, take_turns

SLEEPS = "import sys; held = b'x' * 50_000_000; print('here', flush=True); sys.stdin.read()"


def test_made_rows_are_distinct_and_share_references_that_lie_far_apart(tmp_path: Path) -> None:
    [file] = write_rows(tmp_path, 1_000)

    rows = pq.read_table(file).to_pylist()
    assert len({row["answer"] for row in rows}) == 1_000
    assert len({row["expected"] for row in rows}) == 1_000 // ANSWERS
    assert rows[0]["expected"] == rows[200]["expected"] != rows[1]["expected"]


def test_made_rows_are_the_same_every_time(tmp_path: Path) -> None:
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        [file] = write_rows(tmp_path / name, 100)
        made.append(pq.read_table(file))

    assert made[0].equals(made[1])


def test_pairs_come_with_references_and_answers_that_come_again() -> None:
    rows = pairs(None, 120)

    assert len(rows) == 120
    assert len({row.expected for row in rows}) == 80
    assert sum(row.answer == UNKNOWN for row in rows) == 10
    assert len(texts_of(rows)) == 80 + 80 + 20 + 1  # references, their answers, new answers, and the unknown


def test_a_family_holds_what_a_child_started_and_its_memory_is_seen() -> None:
    with peak_of_children(every=0.01) as peak:
        child = subprocess.Popen(
            [sys.executable, "-c", SLEEPS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "here\n"
        found = {one.pid: one for one in family(os.getpid())}
        deadline = time.monotonic() + 60
        while peak.bytes < 50_000_000 and time.monotonic() < deadline:
            time.sleep(0.01)
        child.communicate("")

    assert child.pid in found
    assert found[child.pid].resident > 50_000_000
    assert SLEEPS in found[child.pid].title
    assert peak.bytes > 50_000_000


def test_contestants_take_turns_and_each_is_first_once() -> None:
    order: list[str] = []

    def contestant(name: str) -> Turn:
        order.append(name)
        return Turn(1.0, 1.0)

    taken = take_turns({name: partial(contestant, name) for name in "ab"}, rounds=2)

    assert order == ["a", "b", "b", "a"]
    assert {name: len(turns) for name, turns in taken.items()} == {"a": 2, "b": 2}


def test_a_small_run_has_one_piece_and_a_group_for_each_shard_in_each_round_of_sorting() -> None:
    shape = RunShape(100_000, bytes_a_row=60, memory_a_row=120)

    assert (shape.pieces, shape.shards, shape.groups) == (1, 22, 4 * 22)


def test_texts_that_come_many_times_are_few() -> None:
    rows = repeated(None, 2_000)

    assert len(rows) == 2_000
    assert len({row.expected for row in rows}) == 100
    assert len(texts_of(rows)) <= 100 + 2 * 100 + 1


def test_reads_grow_with_the_square_of_the_rows_once_pieces_are_many() -> None:
    few, many = (RunShape(rows, bytes_a_row=600, memory_a_row=1_200) for rows in (10**9, 10**10))

    assert many.shards == pytest.approx(10 * few.shards, rel=0.001)
    assert many.gets / few.gets > 50
