"""What no check can do without, alone: the encoder over answers and passages; prints pairs a second."""

import os
import sys
from itertools import islice
from pathlib import Path
from time import perf_counter

from benchmarks.serving.pairs import numbered, pairs

from sensecheck.core.loading import load_encoder

AT_ONCE = 64


def main(first: int, count: int) -> None:
    """Place the texts of so many pairs, token by token as the check wants them, many at once."""
    data = os.environ.get("BENCHMARK_DATA")
    held = pairs(count, Path(data) if data else None)
    drawn = iter([numbered(pair, first + at) for at, pair in enumerate(held)])
    encoder = load_encoder("minilm")
    encoder.encode(["This is a text."], tokens=True)
    began = perf_counter()
    while some := list(islice(drawn, AT_ONCE)):
        encoder.encode([text for pair in some for text in pair], tokens=True)
    print(count / (perf_counter() - began))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
