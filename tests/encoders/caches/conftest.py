"""A cache of each kind: where it is, and how it is opened."""

from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_hex

import pytest

from sensecheck.encoders.disk_cache import Keeper
from tests.encoders.caches.kept_at import opened_at
from tests.redis_server import own_prefix, redis_address
from tests.servers import serving

KINDS = ["sqlite", "parquet", "parquet on s3", "redis"]


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """The address of a real S3 over HTTP."""
    with serving("objects.py") as address:
        yield address


@pytest.fixture
def prefix() -> Iterator[str]:
    """Names of our own in a Redis that others use too."""
    with own_prefix() as own:
        yield own


@pytest.fixture
def bucket(s3: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A new bucket, and an environment in which it is found."""
    import s3fs  # a second, with the whole of botocore

    monkeypatch.setenv("AWS_ENDPOINT_URL", s3)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    name = f"cache-{token_hex(6)}"
    s3fs.S3FileSystem().mkdir(name)
    return name


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a cache of each kind is, as the settings name it."""
    if request.param == "parquet on s3":
        return f"parquet:s3://{request.getfixturevalue('bucket')}/vectors"
    if request.param == "redis":
        return redis_address()
    return {
        "sqlite": str(tmp_path / "vectors.sqlite3"),
        "parquet": f"parquet:{tmp_path / 'vectors'}",
    }[request.param]


@pytest.fixture
def opened(address: str, prefix: str) -> Callable[[], Keeper]:
    """Opens the cache anew."""
    return lambda: opened_at(address, prefix)
