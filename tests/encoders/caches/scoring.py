"""One of several processes that score the same pairs: `python -m … ADDRESS PREFIX NUMBER`.

Each has scores of its own, as machines may that differ in their last digit. It prints how many pairs it
scored itself, and a digest of what it was given.
"""

import hashlib
import sys

from sensecheck.encoders.disk_cache import CachedPairs, packed_score
from tests.encoders.caches.kept_at import opened_at
from tests.scorers import CountingScorer

PAIRS = [(f"Claim number {number}.", f"Evidence of {number % 7}.") for number in range(40)]


def main() -> None:
    """Score the pairs in portions, from a place of its own."""
    address, prefix, number = sys.argv[1:]
    inner = CountingScorer(moved=int(number) * 1e-6)
    cached = CachedPairs(inner, opened_at(address, prefix, "pairs"))
    turn = 10 * int(number)
    for start in range(0, len(PAIRS), 8):
        cached.score([*PAIRS[turn:], *PAIRS[:turn]][start : start + 8])
    given = hashlib.sha256(b"".join(map(packed_score, cached.score(PAIRS)))).hexdigest()
    print(len(inner.asked), given)


if __name__ == "__main__":
    main()
