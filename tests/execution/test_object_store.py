import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sensecheck.core.errors import SpecError, StorageError
from sensecheck.execution.location import StorageLocation, own_name
from sensecheck.execution.object_store import ObjectStoreLocation, location_of
from sensecheck.execution.planning import plan_run
from sensecheck.execution.routing import Shards, route, routed_in, rows_of
from sensecheck.execution.tasks import Routed
from sensecheck.tables.order import TableOrder
from tests.servers import serving

WRITERS = [sys.executable, "-m", "tests.execution.location_writers"]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with serving("objects.py") as address:
        yield address


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[str]:
    import s3fs

    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "a secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    name = f"b{abs(hash(request.node.name))}"
    fsspec.filesystem("s3").mkdir(name)
    yield f"s3://{name}"
    s3fs.S3FileSystem.clear_instance_cache()


def kept(place: StorageLocation, name: str, content: bytes) -> str:
    with place.scratch() as folder:
        (folder / "written").write_bytes(content)
        return place.keep(folder / "written", name)


def test_the_first_one_to_keep_a_name_wins(bucket: str) -> None:
    place = location_of(f"{bucket}/run/")

    assert place.conditional
    assert kept(place, "results/a.parquet", b"first") == "results/a.parquet"
    assert kept(place, "results/a.parquet", b"second") == "results/a.parquet"
    assert place.write("run.json", b"first") is True
    assert place.write("run.json", b"second") is False

    assert place.read("results/a.parquet") == place.read("run.json") == b"first"
    assert place.names("results") == ["results/a.parquet"]
    assert (place.names("none"), place.read("none"), place.sweep()) == ([], None, 0)

    place.drop("results")
    place.drop("none")
    assert place.names("results") == []
    assert place.read("run.json") == b"first"


def test_a_file_of_many_parts_does_not_take_a_name_that_is_taken(bucket: str) -> None:
    place = location_of(f"{bucket}/run")

    assert kept(place, "results/a.bin", b"first") == "results/a.bin"
    assert kept(place, "results/a.bin", b"." * 101 * 2**20) == "results/a.bin"  # which s3fs parts in three

    assert place.read("results/a.bin") == b"first"


def test_of_eight_writers_of_one_name_one_is_first(bucket: str) -> None:
    said = subprocess.run([*WRITERS, "write", f"{bucket}/run"], capture_output=True, check=True).stdout

    assert sorted(json.loads(said)) == [*[False] * 7, True]
    content = location_of(f"{bucket}/run").read("results/wanted.bin")
    assert content in [str(number).encode() * 10_000 for number in range(8)]
    assert location_of(f"{bucket}/run").names("results") == ["results/wanted.bin"]


def test_an_upload_that_is_cut_leaves_nothing_to_be_seen(bucket: str) -> None:
    place = location_of(f"{bucket}/run")
    command = [sys.executable, "-m", "tests.execution.cut_upload", f"{bucket}/run/results/half.bin"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "half\n"
        writer.kill()

    assert place.names("results") == []
    assert kept(place, "results/half.bin", b"whole") == "results/half.bin"
    assert place.read("results/half.bin") == b"whole"


def test_a_row_group_is_read_without_the_rest(bucket: str, tmp_path: Path) -> None:
    place = location_of(f"{bucket}/run")
    table = pa.table({"text": [os.urandom(500).hex() for _ in range(4000)]})
    with place.scratch() as folder:
        pq.write_table(table, folder / "t.parquet", row_group_size=1000, compression="none")
        place.keep(folder / "t.parquet", "results/t.parquet")

    with place.open("results/t.parquet") as file, pq.ParquetFile(file) as parquet:
        assert parquet.read_row_group(3).equals(table.slice(3000))
        fetched: int = file.cache.total_requested_bytes  # type: ignore[attr-defined]
        assert fetched < 2_000_000 < file.seek(0, 2)


def test_inputs_of_a_store_are_routed_into_a_store(bucket: str) -> None:
    rows = [{"id": n, "answer": f"answer {n}", "expected": f"gold {n % 5}"} for n in range(300)]
    store = fsspec.filesystem("s3")
    store.pipe_file(f"{bucket}/in/a.jsonl", "\n".join(map(json.dumps, rows)).encode())
    with store.open(f"{bucket}/in/b.parquet", "wb") as file:
        pq.write_table(pa.Table.from_pylist(rows), file, row_group_size=100)
    order = TableOrder(("exact_match",), (), {"answer": "answer", "expected": "expected"})
    plan = plan_run(order, {}, [f"{bucket}/in"], shard_rows=200, carried=("id",), piece_bytes=2000)
    place = location_of(f"{bucket}/run")

    routed = [
        one for number in range(len(plan.pieces)) if isinstance(one := route(place, plan, number), Routed)
    ]
    held = pa.concat_tables([rows_of(place, shard) for shard in Shards(plan, routed)])

    assert len(plan.pieces) > 4
    assert routed_in(place, plan) == {one.piece: one for one in routed}
    assert sorted(map(int, held["id"].to_pylist())) == sorted([*range(300)] * 2)


def test_a_bucket_that_is_not_there_is_named(bucket: str) -> None:
    with pytest.raises(
        StorageError, match=r"`s3://no-such-bucket/run` cannot be used: .*bucket does not exist"
    ):
        location_of("s3://no-such-bucket/run").write("run.json", b"{}")


def test_nobody_who_may_not_write_gets_further(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import s3fs

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    s3fs.S3FileSystem.clear_instance_cache()

    with pytest.raises(StorageError, match="NoCredentialsError: Unable to locate credentials"):
        location_of(f"{bucket}/run").write("run.json", b"{}")


@pytest.mark.parametrize(
    "address",
    [
        "sftp://me:hush@host/run",
        "sftp://me:p@hush@host/run",
        "https://host/run?signature=hush",
        "s3://key:hush/hush@bucket/run",
    ],
)
def test_an_address_that_holds_a_secret_is_refused_without_it(address: str) -> None:
    with pytest.raises(SpecError, match="has a password or a query") as refused:
        location_of(address)
    assert "hush" not in str(refused.value)


def test_a_port_or_a_sign_in_a_path_is_no_secret() -> None:
    for address in ("http://host:80/a@b", "abfs://box@account/run", "gs://bucket/10:00/a@b"):
        assert location_of(address).address == address


def test_a_store_that_cannot_tell_who_was_first_gets_names_of_their_own(tmp_path: Path) -> None:
    place = ObjectStoreLocation(f"file://{tmp_path}")

    names = [kept(place, "results/a.parquet", content) for content in (b"first", b"second")]

    assert not place.conditional
    assert len(set(names)) == 2
    assert [own_name(name) for name in names] == ["results/a.parquet"] * 2
    assert [place.read(name) for name in names] == [b"first", b"second"]
    assert place.write("run.json", b"first") is True
    assert place.write("run.json", b"second") is False
