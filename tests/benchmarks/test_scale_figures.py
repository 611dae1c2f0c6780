"""What is computed and shown of large runs, from rates that are easy to reckon with."""

import pytest
from benchmarks.figures import scale
from benchmarks.figures.tables import Results

from tests.benchmarks.small_scale_results import SCALE


@pytest.fixture
def cost() -> Results:
    """Computed with the prices as they are kept."""
    return SCALE["scale_cost"]


def test_a_million_pairs_cost_the_hours_of_their_cores(cost: Results) -> None:
    machine = cost["machines"][0]

    assert machine["rows_a_second"] == 100.0 * 16
    assert machine["million"] == pytest.approx(1e6 / 1_600 / 3_600 * 0.82112)
    assert machine["billion_spot"] == pytest.approx(machine["million"] * 1_000 * 0.45)
    assert machine["billion_hours"] == pytest.approx(1e9 / 100 / 3_600 / 1_000)


def test_an_accelerator_is_marked_as_measured_by_others(cost: Results) -> None:
    assert [one["measured_by_us"] for one in cost["machines"]] == [True, True, False, False]
    assert "g6.xlarge, one L4 (rate as published)" in scale.cost(cost)
    assert "14,200 sentences a second" in scale.published(cost)


def test_storage_grows_with_rows_and_vectors_with_distinct_texts(cost: Results) -> None:
    billion = cost["sizes"][1]["gigabytes"]

    assert billion["routed"] == 80.0
    assert billion["vectors_float32"] == pytest.approx(1.5 * (4 * 384 + 32))
    assert "| routed copy, GB | 0.08 | 80 | 800 |" in scale.storage(cost)


def test_what_would_break_is_told_by_size(cost: Results) -> None:
    text = scale.limits(cost)

    assert "| pairs | 1,000,000 | 1,000,000,000 | 10,000,000,000 |" in text
    assert "| files of results | 27 | 2,667 | 26,667 |" in text
    assert "| manifest, MB | 0.0054 | 0.53 | 5.3 |" in text


def test_failures_are_told_with_what_is_done_again(cost: Results) -> None:
    assert "| minutes that a core works on a shard | 62 |" in scale.failures(cost)
    assert "| tokens a second, with all that a run does around them | 3,000 |" in scale.core(cost)


def test_overhead_is_shown_with_what_stands_apart() -> None:
    text = scale.overhead(SCALE["scale_overhead"])

    assert "| This by that | at most 1.3 | **1.2** | 1.1 to 1.4 |" in text
    assert "until workers are ready: 10 by `ray`." in text
    assert "of Ray's own daemons: 3 of 110." in text


def test_memory_is_shown_by_rows() -> None:
    text = scale.null_rows(SCALE["scale_null_rows"])

    assert "in megabytes: 500 at 100,000 rows, 520 at 10,000,000 rows." in text


def test_the_same_bytes_are_told_and_different_ones_too() -> None:
    results = SCALE["scale_identical"]

    assert "| `ray` | `abababababababab…` |" in scale.identical(results)
    assert "byte for byte the same" in scale.identical(results)
    assert "**different**" in scale.identical({**results, "same": False})


def test_one_large_run_is_shown_with_its_files() -> None:
    text = scale.simulated(SCALE["scale_simulated"])

    assert "| minutes, on two cores | 20 |" in text
    assert "| routed copy, GB | 4.5 |" in text


def test_two_workers_stand_beside_two_bare_loops() -> None:
    assert "| This by that | **1.2** | 1.1 to 1.4 |" in scale.throughput(SCALE["scale_throughput"])


def test_kills_are_told_by_what_was_killed() -> None:
    text = scale.killed(SCALE["scale_killed"])

    assert "| killed at random moments | 6 machines, 7 actors, 7 drivers |" in text
    assert "| of 40 shards, done again after one kill, at most | 2 |" in text


def test_what_is_left_to_encode_is_told_as_shares() -> None:
    assert "| a set | 1,000 | 20% | 90% | 55% | 50% |" in scale.distinct(SCALE["scale_distinct"])
