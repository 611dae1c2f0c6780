"""What is peculiar to each kind of cache: how it is full, how it is damaged, and what it says then."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sensecheck.checks import presets
from sensecheck.config import Settings
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import CacheError, SpecError
from sensecheck.core.sample import Sample
from sensecheck.encoders.caches import keeper_at, kind_of, precision_of
from sensecheck.encoders.disk_cache import CachedEncoder, packed
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.parquet_cache import ROWS_A_GROUP, SegmentKeys, entries_at, segment_of
from sensecheck.encoders.redis_cache import RedisKeys
from sensecheck.encoders.wrappers import Rounded
from sensecheck.sense import Sense
from sensecheck.testing import encoder_contract, some_bodies
from tests.conftest import Counting
from tests.redis_server import redis_address

TEXTS = [f"text number {number}" for number in range(30)]
LONG = 100 * "a long text of many words "


def bodies_of(count: int) -> dict[bytes, bytes]:
    """Bodies of vectors, by keys as long as a text's digest."""
    encoder = HashingEncoder(16)
    return {key: packed(encoder.encode([body.decode()])[0]) for key, body in some_bodies(count).items()}


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("vectors.sqlite3", "sqlite"),
        ("C:\\vectors.sqlite3", "sqlite"),
        ("parquet:s3://bucket/prefix", "parquet"),
        ("redis://host:6379/0", "redis"),
        ("rediss://host:6379/0", "redis"),
    ],
)
def test_an_address_names_a_kind_of_cache(address: str, kind: str) -> None:
    assert kind_of(address) == kind


@pytest.mark.parametrize("address", ["lmdb:vectors", "reddis://127.0.0.1:6379/0", "s3://bucket/vectors"])
def test_a_kind_of_cache_that_is_not_there_is_no_file_of_that_name(address: str) -> None:
    with pytest.raises(SpecError, match=r"is not a known kind of cache.* a path names a SQLite file"):
        kind_of(address)


def test_only_segments_round_and_only_to_what_they_know() -> None:
    assert precision_of("parquet:folder#float16") == "float16"
    assert precision_of("parquet:folder") == precision_of("a#float16") == "float32"
    with pytest.raises(SpecError, match="`#float32` or `#float16`; got `#int8`"):
        precision_of("parquet:folder#int8")


def test_a_password_is_not_shown() -> None:
    secret = "redis://somebody:hush@127.0.0.1:1/0"

    assert keeper_at(secret, max_bytes=1).address == "redis://127.0.0.1:1/0"
    assert "hush" not in repr(Settings(cache=secret))
    with pytest.raises(SpecError, match="must be an address such as") as wrong:
        keeper_at("redis://somebody:hush@host:port", max_bytes=1)
    assert "hush" not in str(wrong.value)


def test_a_redis_that_is_away_is_an_error_that_says_what_to_do() -> None:
    cached = CachedEncoder(HashingEncoder(), RedisKeys.at("redis://127.0.0.1:1/0"))

    with pytest.raises(CacheError, match=r"`redis://127.0.0.1:1/0` cannot be used: .*SENSECHECK_CACHE=off"):
        cached.encode(["a"])


@pytest.mark.database
def test_redis_lets_go_of_bodies_after_their_time(prefix: str) -> None:
    keeper = RedisKeys.at(redis_address(), prefix=prefix, seconds=1000)
    keeper.write("e", some_bodies(2))

    assert {keeper._client.ttl(name) > 900 for name in keeper._names("e")} == {True}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_may_use_what_its_parent_opened(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from sensecheck.encoders.caches import keeper_at\n"
        "keeper = keeper_at(sys.argv[1], max_bytes=10**7)\n"
        "keeper.write('e', {20 * b'p': b'1'})\n"
        "child = os.fork()\n"
        "keeper.write('e', {20 * (b'c' if child == 0 else b'a'): b'2'})\n"
        "assert keeper.read('e', [20 * b'p']) == {20 * b'p': b'1'}\n"
        "assert child == 0 or os.waitpid(child, 0)[1] == 0\n"
        "assert keeper_at(sys.argv[1], max_bytes=10**7).count() == {'e': 3} or child == 0\n"
    )
    address = f"parquet:{tmp_path / 'vectors'}"
    subprocess.run([sys.executable, "-W", "ignore", "-c", script, address], check=True, timeout=60)


def test_a_segment_gives_back_every_bit_in_any_order() -> None:
    encoder, count = HashingEncoder(16), ROWS_A_GROUP + 500
    bodies: dict[bytes, bytes | None] = {**bodies_of(count)}
    odd = iter(bodies)
    bodies[next(odd)] = None
    bodies[next(odd)] = b"something else"
    bodies[next(odd)] = packed(encoder.encode(["of another dimension"])[0])[:-4]
    segment = segment_of("maker", bodies)
    keys = SegmentKeys.read(pa.BufferReader(segment))
    wanted = list(bodies)[::-7]
    rows = keys.rows_of(np.array([*wanted, 20 * b"x"], "S20"))

    assert (keys.maker, keys.dropped, len(keys.keys)) == ("maker", 1, count)
    assert rows[-1] == -1
    found = entries_at(pa.BufferReader(segment), rows[:-1])
    assert list(found.items()) == [(key, bodies[key]) for key in wanted]


def test_a_vector_is_kept_as_one_value_of_fixed_size_and_in_half_of_it_where_it_was_rounded() -> None:
    texts = ["one two three", "four five six seven"]
    plain, rounded = HashingEncoder(16), Rounded(HashingEncoder(16))
    widths = []
    for encoder in (plain, rounded):
        bodies = {bytes([n]) * 20: packed(one) for n, one in enumerate(encoder.encode(texts))}
        segment = pa.BufferReader(segment_of(encoder.fingerprint, {**bodies}))
        widths.append(pq.read_schema(segment).field("vector").type.byte_width)
        keys = SegmentKeys.read(segment)
        assert entries_at(segment, keys.rows_of(np.array(sorted(bodies), "S20"))) == bodies
    assert widths == [64, 32]


def test_rounded_vectors_are_another_encoders(minilm: Encoder) -> None:
    rounded = Rounded(minilm)

    encoder_contract(rounded)
    assert rounded.fingerprint == f"{minilm.fingerprint}:float16"
    (one,), (other,) = minilm.encode(TEXTS[:1]), rounded.encode(TEXTS[:1])
    assert 0 < np.abs(one.vector - other.vector).max() < 1e-3
    assert 0 < np.abs(one.windows - other.windows).max() < 1e-3


def test_a_cutoff_for_vectors_in_full_is_an_error_with_rounded_ones(minilm: Encoder) -> None:
    sense, sample = Sense(Backends(Rounded(minilm))), Sample("I cannot help with that.")
    verdict = sense.judge(sample, presets.not_a_refusal())

    assert verdict.outcome == "error"
    assert f"in use is `{minilm.fingerprint}:float16`" in verdict.because


def test_the_settings_choose_where_and_how_vectors_are_kept(tmp_path: Path) -> None:
    from sensecheck.config import encoder

    plain = encoder(Settings(cache=f"parquet:{tmp_path / 'a'}"))
    half = encoder(Settings(cache=f"parquet:{tmp_path / 'a'}#float16"))
    plain.encode(TEXTS[:3])
    half.encode([*TEXTS[:3], LONG])
    kept = keeper_at(f"parquet:{tmp_path / 'a'}", max_bytes=0).count()

    assert half.fingerprint == f"{plain.fingerprint}:float16"
    assert kept == {plain.fingerprint: 3, half.fingerprint: 4}


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-9], lambda content: content.replace(b"1", b"2")]
)
def test_a_damaged_segment_is_an_error_that_names_it(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    address = f"parquet:{tmp_path}"
    keeper_at(address, max_bytes=0).write("e", some_bodies(1))
    (segment,) = tmp_path.rglob("*.parquet")
    segment.write_bytes(damage(segment.read_bytes()))

    name = str(segment.relative_to(tmp_path))
    with pytest.raises(CacheError, match=rf"the segment `{name}` of the cache .* is damaged: .*delete it"):
        keeper_at(address, max_bytes=0).read("e", list(some_bodies(1)))
    keeper_at(address, max_bytes=0).clear()
    assert keeper_at(address, max_bytes=0).count() == {}


def test_what_is_cleared_by_another_is_made_again(tmp_path: Path) -> None:
    counting = Counting()
    cached = CachedEncoder(counting, keeper_at(f"parquet:{tmp_path}", max_bytes=0))
    cached.encode(TEXTS)
    keeper_at(f"parquet:{tmp_path}", max_bytes=0).clear()
    cached.encode(TEXTS)

    assert len(counting.asked) == 2 * len(TEXTS)


@pytest.mark.parametrize("others", [5, 500])
def test_what_another_wrote_after_clearing_is_not_taken_for_what_was_there(
    tmp_path: Path, others: int
) -> None:
    address, mine = f"parquet:{tmp_path}", some_bodies(50)
    keeper = keeper_at(address, max_bytes=0)
    keeper.write("e", mine)
    keeper_at(address, max_bytes=0).clear()
    theirs = dict.fromkeys(list(some_bodies(others + 3))[3:], b"of the other")
    keeper_at(address, max_bytes=0).write("e", theirs)

    assert keeper.read("e", list(mine)) == {key: theirs[key] for key in mine if key in theirs}


def test_a_store_without_credentials_is_an_error_that_names_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import s3fs

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    s3fs.S3FileSystem.clear_instance_cache()

    with pytest.raises(CacheError, match=r"`parquet:s3://bucket/v` cannot be used: .*credentials;"):
        keeper_at("parquet:s3://bucket/v", max_bytes=0).read("e", list(some_bodies(1)))


def test_a_bucket_that_is_not_there_is_not_taken_for_a_store_without_conditions(bucket: str) -> None:
    with pytest.raises(CacheError, match="cannot be used: The specified bucket does not exist"):
        keeper_at(f"parquet:s3://no-{bucket}/v", max_bytes=0).write("e", some_bodies(1))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_segments_are_for_their_owner_only(tmp_path: Path) -> None:
    keeper_at(f"parquet:{tmp_path / 'new'}", max_bytes=0).write("e", some_bodies(1))
    (segment,) = tmp_path.rglob("*.parquet")

    assert segment.stat().st_mode & 0o777 == 0o600
