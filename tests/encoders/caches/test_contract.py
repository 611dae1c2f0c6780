"""What every cache of vectors keeps to, on a laptop, in a cluster and behind a service."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sensecheck.core.unicode import text_key
from sensecheck.encoders.disk_cache import CachedEncoder, Keeper
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.testing import cache_contract, encoder_contract
from tests.conftest import Counting
from tests.encoders.caches.racing import TEXTS, digests

ROOT = Path(__file__).parents[3]
Opened = Callable[[], Keeper]


def test_it_keeps_to_the_contract_of_caches(address: str, opened: Opened) -> None:
    cache_contract(opened, many=2_000 if "s3:" in address else 20_000)


def test_an_encoder_that_remembers_in_it_keeps_to_the_contract_of_encoders(opened: Opened) -> None:
    encoder_contract(CachedEncoder(HashingEncoder(), opened()), limited=False)


def test_another_encoder_does_not_get_its_vectors(opened: Opened) -> None:
    small, large = Counting(HashingEncoder(16)), Counting(HashingEncoder(32))
    CachedEncoder(small, opened()).encode(["a", "b"])
    placed = CachedEncoder(large, opened()).encode(["b"])

    assert large.asked == ["b"]
    assert placed[0].vector.shape == (32,)
    assert opened().count() == {small.fingerprint: 2, large.fingerprint: 1}


def test_damaged_bodies_are_made_again_and_replaced(opened: Opened) -> None:
    counting, texts = Counting(), ["a", "b", "c"]
    bodies = zip(map(text_key, texts), (b"", b"x", bytes(1044)), strict=True)
    opened().write(counting.fingerprint, dict(bodies))
    placed = CachedEncoder(counting, opened()).encode([*texts, "whole"])
    again = CachedEncoder(counting, opened()).encode(["whole", *texts])

    assert counting.asked == [*texts, "whole"]
    assert digests(placed[:3]) == digests(again[1:]) == digests(HashingEncoder().encode(texts))


def racing(address: str, prefix: str, count: int) -> list[subprocess.Popen[str]]:
    """So many processes that begin at once, when all of them are ready."""
    command = [sys.executable, "-m", "tests.encoders.caches.racing", address, prefix]
    processes = [
        subprocess.Popen(
            [*command, str(number)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(count)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return processes


@pytest.mark.slow
def test_processes_that_write_at_once_are_all_given_what_is_kept(
    address: str, prefix: str, opened: Opened
) -> None:
    processes = racing(address, prefix, 3)
    given = [process.communicate(timeout=120)[0].strip() for process in processes]
    counting = Counting()
    kept = digests(CachedEncoder(counting, opened()).encode(TEXTS))

    assert [process.returncode for process in processes] == [0, 0, 0]
    assert given == [kept] * 3
    assert counting.asked == []


def test_what_a_killed_process_wrote_is_whole_or_not_there(address: str, prefix: str, opened: Opened) -> None:
    (process,) = racing(address, prefix, 1)
    counting = Counting()
    while not opened().count():
        assert process.poll() in (None, 0)
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=60)
    placed = CachedEncoder(counting, opened()).encode(TEXTS)

    assert digests(placed) == digests(HashingEncoder().encode(TEXTS))
    assert opened().count() == {counting.fingerprint: len(TEXTS)}
