"""Scores of pairs that are kept: each pair is scored once, ever, and nothing of its text is kept."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.config import Settings, verifier
from sensecheck.core.backends import PairScore
from sensecheck.core.errors import BackendError, CacheError, EncoderError, SpecError
from sensecheck.core.loading import load_verifier
from sensecheck.core.unicode import pair_key
from sensecheck.encoders import disk_cache as module
from sensecheck.encoders.caches import keeper_at
from sensecheck.encoders.disk_cache import CachedPairs, Keeper, is_plain, packed_score, unpacked_score
from sensecheck.io.blobcache import PairFile
from sensecheck.testing import cache_contract, pair_scorer_contract, some_bodies
from tests.encoders.caches.kept_at import opened_at
from tests.encoders.caches.scoring import PAIRS
from tests.scorers import CountingScorer

ROOT = Path(__file__).parents[3]
Opened = Callable[[], Keeper]
A, B, C = ("It opens at nine.", "The museum opens at nine."), ("It is shut.", "It is shut today."), ("c", "e")
finite = st.floats(allow_nan=False, allow_infinity=False)
words = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 400), finite), max_size=12)


@pytest.fixture
def pairs_at(address: str, prefix: str) -> Opened:
    """Opens the pairs of a cache of each kind anew."""
    return lambda: opened_at(address, prefix, "pairs")


def file_at(folder: Path) -> PairFile:
    return PairFile(folder / "pairs.sqlite3", max_bytes=10**8)


@pytest.mark.core
def test_a_pair_is_scored_once_ever_and_scores_come_in_order(pairs_at: Opened) -> None:
    inner = CountingScorer()
    first = CachedPairs(inner, pairs_at()).score([A, B, A])
    again = CachedPairs(inner, pairs_at()).score([B, C, A, C])

    assert inner.calls == [[A, B], [C]]
    assert first == CountingScorer().score([A, B, A])
    assert again == CountingScorer().score([B, C, A, C])


def test_a_second_run_asks_nobody(tmp_path: Path) -> None:
    CachedPairs(CountingScorer(), file_at(tmp_path)).score(PAIRS)
    second = CountingScorer()
    found = CachedPairs(second, file_at(tmp_path)).score(PAIRS[::-1])

    assert second.calls == []
    assert found == CountingScorer().score(PAIRS[::-1])


def test_scores_of_another_scorer_are_not_used(pairs_at: Opened) -> None:
    CachedPairs(CountingScorer("tiny:1"), pairs_at()).score([A, B])
    other = CountingScorer("tiny:2", moved=1.0)
    found = CachedPairs(other, pairs_at()).score([A])

    assert other.asked == [A]
    assert found == CountingScorer(moved=1.0).score([A])
    assert pairs_at().count() == {"tiny:1": 2, "tiny:2": 1}


def test_where_the_claim_ends_belongs_to_a_pair() -> None:
    assert len({pair_key("ab", "c"), pair_key("a", "bc"), pair_key("c", "ab"), pair_key("abc", "")}) == 4
    assert len(pair_key("\ud800", "e")) == 20


@given(finite, words, st.integers(0, 2**31), st.none() | st.floats(0, 1))
def test_every_bit_of_a_score_comes_back(
    value: float, told: list[tuple[int, int, float]], unread: int, contradicted: float | None
) -> None:
    spans, at = [], 0
    for gap, length, _ in told:
        spans.append((at + gap, at + gap + length))
        at = spans[-1][1]
    score = PairScore(value, tuple(spans), tuple(one for _, _, one in told), unread, contradicted)

    assert unpacked_score(packed_score(score)) == score
    assert not is_plain(packed_score(score))


@pytest.mark.parametrize(
    "score",
    [
        PairScore(-1.5),
        PairScore(0.1, ((5, 9), (2, 4)), (0.1, 1e300)),
        PairScore(0.0, ((0, 100_000),), (), 7, 0.0),
    ],
)
def test_unusual_scores_come_back_too(score: PairScore) -> None:
    assert unpacked_score(packed_score(score)) == score


def test_a_kept_score_is_small() -> None:
    claim = "The reservoir was built in 1931 by the engineer Ruth Abel and feeds three towns."
    (score,) = CountingScorer().score([(claim, "evidence " * 100)])

    assert len(score.spans) == 15
    assert len(packed_score(score)) == 32 + 15 * 6


WHOLE = packed_score(CountingScorer().score([A])[0])


@pytest.mark.parametrize(
    "body", [b"", b"x", WHOLE[:-1], WHOLE + b"x", bytes(len(WHOLE)), b"\xa1\x09" + WHOLE[2:], WHOLE[:31]]
)
def test_a_damaged_score_is_made_again_and_replaced(tmp_path: Path, body: bytes) -> None:
    file, inner = file_at(tmp_path), CountingScorer()
    file.write(inner.fingerprint, {pair_key(*A): body})
    found = CachedPairs(inner, file).score([A, B])
    again = CachedPairs(inner, file).score([B, A])

    assert unpacked_score(body) is None
    assert inner.asked == [A, B]
    assert found == again[::-1] == CountingScorer().score([A, B])


def test_nothing_of_a_text_is_kept(tmp_path: Path) -> None:
    secret = ("Zanzibar is a patient of Doctor Quillfeather.", "Quillfeather treats Zanzibar.")
    CachedPairs(CountingScorer(), file_at(tmp_path)).score([secret])
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    assert pair_key(*secret) in kept
    assert not any(word in kept.lower() for word in (b"zanzibar", b"quillfeather", b"patient"))


def test_pairs_lie_beside_vectors_and_neither_counts_the_other(
    address: str, prefix: str, opened: Opened, pairs_at: Opened
) -> None:
    opened().write("e", some_bodies(40))
    alone = opened().used_bytes()
    CachedPairs(CountingScorer(), pairs_at()).score(PAIRS)

    assert (opened().count(), pairs_at().count()) == ({"e": 40}, {"tiny:1": 40})
    assert opened().used_bytes() == alone
    assert pairs_at().clear() == 40
    assert opened().count() == {"e": 40}
    CachedPairs(CountingScorer(), pairs_at()).score(PAIRS)
    opened().clear()
    assert pairs_at().count() == {"tiny:1": 40}


def test_what_keeps_pairs_keeps_to_the_contract_of_caches(address: str, pairs_at: Opened) -> None:
    cache_contract(pairs_at, many=1_000)


def test_a_scorer_that_remembers_keeps_to_the_contract_of_pair_scorers(tmp_path: Path) -> None:
    pair_scorer_contract(CachedPairs(CountingScorer(), file_at(tmp_path)), good=None)


def test_a_scorer_that_leaves_a_pair_out_is_an_error(tmp_path: Path) -> None:
    class Few(CountingScorer):
        def score(self, pairs: object) -> list[PairScore]:
            return super().score([A])

    with pytest.raises(BackendError, match="`tiny:1` gave 1 scores for 2 pairs"):
        CachedPairs(Few(), file_at(tmp_path)).score([A, B])


def test_many_pairs_are_scored_in_portions_of_like_length_and_kept_after_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAIR_BATCH_SIZE", 3)
    inner = CountingScorer()
    some = [("b" * 5, "e"), ("c" * 9, "e"), ("a", "e"), ("", "e"), ("d" * 7, "e")]
    with pytest.raises(EncoderError, match="empty"):
        CachedPairs(inner, file_at(tmp_path)).score(some)
    assert [[len(claim) for claim, _ in call] for call in inner.calls] == [[9, 7, 5], [1, 0]]

    again = CountingScorer()
    whole = [pair for pair in some if pair[0]]
    assert CachedPairs(again, file_at(tmp_path)).score(whole) == CountingScorer().score(whole)
    assert again.asked == [("a", "e")]


@pytest.mark.real_model
def test_the_packaged_verifier_gives_the_same_alone_in_company_and_from_the_cache(tmp_path: Path) -> None:
    some = [
        (claim, f"{evidence} {'It is near the river. ' * n}")
        for n, (claim, evidence) in enumerate([A, B] * 4)
    ]
    bare = load_verifier("mpnet")
    together = CachedPairs(bare, file_at(tmp_path)).score(some)
    second = CountingScorer(bare.fingerprint)

    assert CachedPairs(second, file_at(tmp_path)).score(some) == together
    assert second.calls == []
    for pair, score in zip(some, together, strict=True):
        (alone,) = bare.score([pair])
        assert (alone.value, *alone.scores) == pytest.approx((score.value, *score.scores), abs=1e-5)


@pytest.mark.slow
def test_processes_that_score_at_once_are_all_given_what_is_kept(
    address: str, prefix: str, pairs_at: Opened
) -> None:
    command = [sys.executable, "-m", "tests.encoders.caches.scoring", address, prefix]
    processes = [
        subprocess.Popen([*command, str(number)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    told = [process.communicate(timeout=120)[0].split() for process in processes]
    late = subprocess.run([*command, "3"], cwd=ROOT, capture_output=True, text=True, check=True)

    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len({digest for _, digest in told}) == 1
    assert late.stdout.split() == ["0", told[0][1]]
    assert pairs_at().count() == {"tiny:1": len(PAIRS)}


def test_a_damaged_file_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "pairs.sqlite3").write_bytes(b"this is no database" * 100)

    with pytest.raises(CacheError, match=r"cache of pair scores .*sensecheck cache clear --all"):
        CachedPairs(CountingScorer(), file_at(tmp_path)).score([A])


def test_the_settings_say_where_pairs_are_kept(tmp_path: Path) -> None:
    named = keeper_at(str(tmp_path / "v.sqlite3"), max_bytes=5, what="pairs")
    folder = keeper_at(f"parquet:{tmp_path / 'v'}/#float16", max_bytes=0, what="pairs")

    assert (named.address, named.max_bytes) == (str(tmp_path / "pairs.sqlite3"), 5)
    assert folder.address == f"parquet:{tmp_path / 'v' / 'pairs'}"
    assert verifier(Settings(cache=str(tmp_path / "v.sqlite3"))) is not None
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(
        SpecError, match=r"another name than `pairs.sqlite3`, which keeps the scores of pairs"
    ):
        Settings(cache=str(tmp_path / "pairs.sqlite3"))


@pytest.mark.real_model
def test_pairs_of_the_packaged_verifier_are_kept_from_the_first_score_on(tmp_path: Path) -> None:
    kept = verifier(Settings(cache=str(tmp_path / "v.sqlite3")))
    bare = verifier(Settings(cache="off"))
    assert kept is not None
    assert bare is not None

    assert list(kept.score([A])) == list(bare.score([A]))
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".sqlite3"] == ["pairs.sqlite3"]
