"""What nobody can do without, alone: the encoder over a list of texts; prints what it took."""

import json
import sys
import time
from pathlib import Path

from sensecheck.core.loading import load_encoder

AT_ONCE = 1_024


def main(file: str, part: int, of: int) -> None:
    """Place every `of`-th chunk of the texts, in the order in which they come."""
    texts = json.loads(Path(file).read_bytes())
    encoder = load_encoder("minilm")
    encoder.encode(["A text to begin with."])
    cpu, wall = time.process_time(), time.perf_counter()
    for first in range(part * AT_ONCE, len(texts), of * AT_ONCE):
        encoder.encode(texts[first : first + AT_ONCE])
    print(json.dumps({"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
