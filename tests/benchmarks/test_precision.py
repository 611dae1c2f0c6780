"""The benchmark of precision measures what it says."""

import numpy as np
from benchmarks.quality.precision import KEPT, bfloat16, flips, measure


def test_bfloat16_keeps_8_bits_and_rounds_ties_to_even() -> None:
    given = np.array([1.0, 1 + 1 / 128, 1 + 1 / 256, 1 + 3 / 256, -1.001, 0.0], np.float32)

    assert bfloat16(given).tolist() == [1.0, 1 + 1 / 128, 1.0, 1 + 2 / 128, -1.0, 0.0]


def test_a_flip_is_counted_in_both_directions_and_beyond_a_band() -> None:
    exact, near = np.array([0.59, 0.61, 0.7], np.float32), np.array([0.61, 0.59, 0.71], np.float32)

    assert flips(exact, near, 0.6) == 2
    assert flips(exact, near, 0.6, band=0.005) == 2
    assert flips(exact, near, 0.6, band=0.02) == 0


def test_what_is_kept_as_it_is_flips_nothing() -> None:
    rows = np.random.default_rng(7).normal(size=(2, 500, 64)).astype(np.float32)
    one, other = rows / np.linalg.norm(rows, axis=2, keepdims=True)
    found = {row["kept"]: row for row in measure("drawn", (one, one + other))}

    assert list(found) == list(KEPT)
    assert found["float32"]["largest_move"] == found["float32"]["flipped_of_sweep"] == 0
    assert 0 < found["float16"]["largest_move"] < found["bfloat16"]["largest_move"] < 0.01
