"""`GET /sdk/VERSION/sensecheck.js`: the script that pages load."""

import gzip
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha384
from pathlib import Path

import httpx
import pytest

from sensecheck.server.routes.operations import PATH, SDK_FILES, VERSION, caching, script
from tests.server.running import PAGE, Wanted, service

FILE = Path(__file__).parents[3] / "src" / "sensecheck" / "server" / "sdk" / "sensecheck.js"
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Somebody without a key, at a service that answers nobody without one."""
    folder = tmp_path_factory.mktemp("service")
    wanted = replace(Wanted(str(folder / "a.sqlite3"), folder / "b.sqlite3"), local=False)
    with service(wanted) as address, httpx.Client(base_url=address) as client:
        yield client


def test_the_script_is_for_any_page(asking: httpx.Client) -> None:
    reply = asking.get(PATH, headers={"Origin": PAGE, **PLAIN})

    assert (reply.status_code, reply.content) == (200, FILE.read_bytes())
    assert reply.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert reply.headers["Cache-Control"] == caching(VERSION)
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert reply.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.headers["Vary"] == "Accept-Encoding"
    assert "Access-Control-Allow-Credentials" not in reply.headers


@pytest.mark.parametrize("name", [name for name in SDK_FILES if name != "sensecheck.js"])
def test_what_the_script_loads_later_is_beside_it(asking: httpx.Client, name: str) -> None:
    reply = asking.get(f"/sdk/{VERSION}/{name}", headers={"Origin": PAGE, **PLAIN})

    assert (reply.status_code, reply.content) == (200, FILE.parent.joinpath(name).read_bytes())
    assert reply.headers["Content-Type"].split(";")[0] == SDK_FILES[name]
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert reply.headers["Cache-Control"] == caching(VERSION)


def test_every_file_of_the_folder_is_served() -> None:
    folder = FILE.parent

    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.js*")} == set(SDK_FILES)


def test_the_script_names_the_digest_of_the_script_that_it_loads() -> None:
    assert script("answers.js").integrity in FILE.read_text(encoding="ascii")


@pytest.mark.parametrize(
    ("version", "cached"),
    [
        ("0.1.0", "public, max-age=3600"),
        ("0.12.3", "public, max-age=3600"),
        ("1.0.0", "public, max-age=31536000, immutable"),
        ("10.0.0", "public, max-age=31536000, immutable"),
    ],
)
def test_a_version_that_may_still_be_built_is_asked_for_again(version: str, cached: str) -> None:
    assert caching(version) == cached


def test_the_digest_that_is_told_is_that_of_what_is_sent(asking: httpx.Client) -> None:
    reply = asking.get(PATH)

    assert script().integrity == "sha384-" + b64encode(sha384(reply.content).digest()).decode()


@pytest.mark.parametrize(
    ("accepts", "packed"),
    [
        ("gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("*", True),
        ("*;q=0.1", True),
        ("gzip ; q=0.5", True),
        ("gzip;q=1.000", True),
        ("gzip;q=0, *", False),
        ("*;q=0, gzip", True),
        ("*;q=0", False),
        ("gzip;q=x", False),
        ("gzip;q=0.0.5", False),
        (",;,", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip;q=0.000, br", False),
        ("x-gzip-like, br", False),
        ("", False),
    ],
)
def test_it_is_packed_for_whoever_can_unpack(asking: httpx.Client, accepts: str, packed: bool) -> None:
    with asking.stream("GET", PATH, headers={"Accept-Encoding": accepts}) as reply:
        sent = b"".join(reply.iter_raw())

    assert (reply.headers.get("Content-Encoding") == "gzip") is packed
    assert (gzip.decompress(sent) if packed else sent) == FILE.read_bytes()
    assert int(reply.headers["Content-Length"]) == len(sent)


@pytest.mark.parametrize("accepts", ["gzip", "identity"])
@pytest.mark.parametrize("sent", ["{}", "W/{}", '"other", {}', "*"])
def test_who_has_it_already_is_told_so(asking: httpx.Client, accepts: str, sent: str) -> None:
    headers = {"Accept-Encoding": accepts}
    mark = asking.get(PATH, headers=headers).headers["ETag"]

    again = asking.get(PATH, headers={**headers, "If-None-Match": sent.format(mark)})

    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", mark)
    assert again.headers["Access-Control-Allow-Origin"] == "*"
    assert again.headers["Cache-Control"] == caching(VERSION)


def test_who_has_another_one_gets_this_one(asking: httpx.Client) -> None:
    packed = asking.get(PATH, headers={"Accept-Encoding": "gzip"}).headers["ETag"]

    for known in ('"other"', packed, "zz", '"'):
        reply = asking.get(PATH, headers={**PLAIN, "If-None-Match": known})
        assert reply.status_code == 200


def test_its_head_can_be_asked_for_alone(asking: httpx.Client) -> None:
    head, whole = asking.head(PATH, headers=PLAIN), asking.get(PATH, headers=PLAIN)

    assert (head.status_code, head.content) == (200, b"")
    for name in ("Content-Length", "Content-Type", "ETag", "Cache-Control"):
        assert head.headers[name] == whole.headers[name]


@pytest.mark.parametrize("version", ["0.0.9", "latest", "9" * 3000, "%00", "zzcanaryzz", "0.1.0%0a"])
def test_another_version_is_told_which_one_is_here(asking: httpx.Client, version: str) -> None:
    reply = asking.get(f"/sdk/{version}/sensecheck.js", headers={"Origin": PAGE})

    assert (reply.status_code, reply.json()["type"]) == (404, "urn:sensecheck:problem:not-found")
    assert reply.json()["detail"] == f"the script that is here has the version {VERSION}: `{PATH}`"
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path",
    [
        f"/sdk/{VERSION}/",
        f"/sdk/{VERSION}/../../app.py",
        f"/sdk/{VERSION}/%2e%2e/app.py",
        f"/sdk/{VERSION}/languages/xx.json",
        f"/sdk/{VERSION}/x.js",
    ],
)
def test_nothing_else_is_there(asking: httpx.Client, path: str) -> None:
    assert asking.get(path).status_code == 404


def test_it_cannot_be_written(asking: httpx.Client) -> None:
    for method in ("POST", "PUT", "DELETE"):
        reply = asking.request(method, PATH)
        assert (reply.status_code, reply.headers["Allow"]) == (405, "GET, HEAD")


def test_the_tag_holds_the_page_to_the_digest() -> None:
    tag = script().tag("https://api.example.com", 'pk_"x')

    assert f'src="https://api.example.com{PATH}"' in tag
    assert f'integrity="{script().integrity}" crossorigin="anonymous"' in tag
    assert tag.endswith(' data-key="pk_&quot;x"></script>')
    assert "data-key" not in script().tag("https://api.example.com", None)
