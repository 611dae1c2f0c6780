"""What vectors that are kept in fewer bits do to decisions: `python benchmarks/quality/precision.py`."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from models.heads.public import ROOT, data_folder, remembering_encoder, rows_of

from sensecheck.core.backends import Encoder, Vectors
from sensecheck.core.space import Space

RESULTS = ROOT / "benchmarks" / "results" / "precision.json"
SETS = {
    "sick": ("sick/test.jsonl.gz",),
    "stsb": ("stsb/dev.jsonl.gz", "stsb/test.jsonl.gz"),
}
SHIPPED = {"means": 0.6, "drift_threshold": 0.7}
"""The lines on similarity that come with the presets."""
SWEEP = tuple(round(0.3 + 0.01 * step, 2) for step in range(61))
BAND = 0.005
"""The band of doubt, to either side, that we ask of encoders whose vectors hold still only nearly."""
Closeness = npt.NDArray[np.float32]


def bfloat16(vectors: Vectors) -> Vectors:
    """The nearest numbers that have the 8 bits of bfloat16, ties to even."""
    bits = vectors.view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return (rounded & np.uint32(0xFFFF0000)).view(np.float32)


KEPT: Mapping[str, tuple[int, Callable[[Vectors], Vectors]]] = {
    "float32": (4, lambda vectors: vectors),
    "float16": (2, lambda vectors: vectors.astype(np.float16).astype(np.float32)),
    "bfloat16": (2, bfloat16),
}
"""By name: bytes a number, and what comes back of what was kept."""


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="What vectors that are kept in fewer bits do to decisions.")
    parser.add_argument("--rows", type=int, help="at most so many pairs of each set; nothing is written")
    rows = parser.parse_args().rows
    data, placing = data_folder(), remembering_encoder()
    found = [row for name in SETS for row in measure(name, placed(pairs_of(data, name)[:rows], placing))]
    print(table(found))
    if rows is None:
        RESULTS.write_text(json.dumps(to_data(found, placing), indent=1, ensure_ascii=False) + "\n")


def pairs_of(data: Path, name: str) -> list[tuple[str, str]]:
    """The pairs of a set, whatever is said of them."""
    return [(row["a"], row["b"]) for file in SETS[name] for row in rows_of(data, file)]


def placed(pairs: Sequence[tuple[str, str]], encoder: Encoder) -> tuple[Vectors, Vectors]:
    """The vectors of the texts on either side."""
    space = Space.of([text for pair in pairs for text in pair], encoder)
    one, other = (np.array([space.vector(pair[side]) for pair in pairs]) for side in (0, 1))
    return one, other


def measure(name: str, sides: tuple[Vectors, Vectors]) -> Iterator[dict[str, Any]]:
    """What each way of keeping vectors does to the similarity of pairs, and to what is decided by it."""
    exact = closeness(*sides)
    for kept, (_, back) in KEPT.items():
        near = closeness(*(back(side) for side in sides))
        yield {
            "set": name,
            "kept": kept,
            "pairs": len(exact),
            "largest_move": float(np.abs(near - exact).max()),
            "flipped": {rule: flips(exact, near, line) for rule, line in SHIPPED.items()},
            "flipped_of_sweep": sum(flips(exact, near, line) for line in SWEEP),
            "beyond_band": sum(flips(exact, near, line, BAND) for line in SWEEP),
        }


def closeness(one: Vectors, other: Vectors) -> Closeness:
    """Cosines, in float32, as they are decided on."""
    found: Closeness = np.einsum("ij,ij->i", one, other, dtype=np.float32)
    return found


def flips(exact: Closeness, near: Closeness, line: float, band: float = 0.0) -> int:
    """How many pairs change from one side of a line to the other; beyond a band, from `pass` to `fail`."""
    up = (exact < line - band) & (near >= line + band)
    down = (exact >= line + band) & (near < line - band)
    return int((up | down).sum())


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """What was measured, for people."""
    return "\n".join(
        f"{row['set']:6}{row['kept']:10}{row['pairs']:>6} pairs, moved by at most {row['largest_move']:.1e}, "
        f"flipped {row['flipped_of_sweep']} over the sweep, {row['beyond_band']} beyond the band; "
        + ", ".join(f"{rule} {flipped}" for rule, flipped in row["flipped"].items())
        for row in found
    )


def to_data(found: Sequence[Mapping[str, Any]], encoder: Encoder) -> dict[str, Any]:
    """What was measured and how, as plain data."""
    return {
        "about": "Vectors are rounded as if they had been kept so, and pairs are decided in float32. "
        "`flipped` counts the pairs that fall on the other side of a line than with float32; "
        "`flipped_of_sweep` counts them over all lines of the sweep; `beyond_band` counts those of them that "
        "change from `pass` to `fail` or back where a band of doubt lies around the line.",
        "encoder": encoder.fingerprint,
        "bytes_a_vector": {kept: size * encoder.dimension for kept, (size, _) in KEPT.items()},
        "lines": SHIPPED,
        "sweep": [SWEEP[0], SWEEP[-1], len(SWEEP)],
        "band": BAND,
        "measured": list(found),
    }


if __name__ == "__main__":
    main()
