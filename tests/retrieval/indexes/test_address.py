"""A server is never taken for a folder, nor a folder for a server."""

from pathlib import Path

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.indexes.address import address_in


@pytest.mark.parametrize(
    ("where", "address"),
    [
        ("http://localhost", "http://localhost:8000"),
        ("HTTP://LOCALHOST:1", "http://localhost:1"),
        ("https://example.org/a/prefix/", "https://example.org:8000/a/prefix"),
        ("http://[::1]:9", "http://[::1]:9"),
    ],
)
def test_an_address_is_read_whole(where: str, address: str) -> None:
    assert str(address_in(where, port=8000, credentials="")) == address


@pytest.mark.parametrize(
    "where",
    [
        "folder",
        "./localhost:6333",
        "../localhost:6333",
        "/srv/me@host:6333",
        "~/host:6333",
        "a/b:1",
        "a/b@c:1",
        "me@home",
        "C:\\data",
        "C:/data",
        "c:\\me@host:1",
        "\\\\server\\share",
        ":memory:",
        Path("localhost:6333"),
        Path("//host/share"),
    ],
)
def test_a_path_is_a_folder(where: str | Path) -> None:
    assert address_in(where, port=8000, credentials="") is None


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("localhost:6333", "`http://localhost:6333`.*`./localhost:6333`"),
        ("[::1]:6333/x", "server or a folder"),
        ("grpc://localhost:6334", "found `grpc://`"),
        ("file:///data", "found `file://`"),
        ("http://", "names no host"),
        ("http://h:99999", "cannot be read"),
        ("http://h:port", "cannot be read"),
        ("http://me:hidden@h:1", "do this instead"),
        ("http://h/?key=hidden", "would be lost"),
        ("http://hidden:12/3@h:1", "do this instead"),
        ("hidden:pw@h://x", "do this instead"),
        ("http://hidden:12?3@h:1", "do this instead"),
        ("hidden:hidden@host:6333", "do this instead.*`./`"),
        ("hidden@host:6333/x", "do this instead"),
        ("hidden:1234@host", "do this instead"),
        ("hidden:hid/den@host:6333", "do this instead"),
        ("http:/hidden:pw@host:80", "do this instead"),
        ("//hidden:pw@host:80", "found `//`"),
        ("http:/host:80", "found `http:`"),
        ("HTTPS:host", "found `HTTPS:`"),
        ("https//h:1", "found `https//`"),
        ("//host:6333", "found `//`.*`Path`"),
        ("grpc:/h:1", "found `grpc:/`"),
        ("localhost:6333?key=hidden", "`http://localhost:6333`"),
        ("host:6333#hidden", "`./host:6333`"),
        ("host:6333/x?key=hidden", "server or a folder"),
        (" host:6333 ", "`http://host:6333`"),
        ("::1:6333", "server or a folder"),
        (":6333", "server or a folder"),
    ],
)
def test_what_is_neither_for_sure_is_refused(where: str, said: str) -> None:
    with pytest.raises(SpecError, match=said) as refused:
        address_in(where, port=8000, credentials="do this instead")
    assert "hidden" not in str(refused.value)
