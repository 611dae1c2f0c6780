"""Which pages a key may name, and which pages these are."""

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.store.service.api_keys import allows, normalised, normalised_origins


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://docs.example.com", "https://docs.example.com"),
        ("HTTPS://Docs.Example.COM/", "https://docs.example.com"),
        ("https://docs.example.com:443", "https://docs.example.com"),
        ("https://docs.example.com:8443", "https://docs.example.com:8443"),
        ("https://*.example.com", "https://*.example.com"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://127.0.0.1", "http://127.0.0.1"),
        ("http://[::1]:3000", "http://[::1]:3000"),
    ],
)
def test_an_origin_is_kept_as_browsers_write_it(given: str, kept: str) -> None:
    assert normalised(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "",
        "*",
        "null",
        "docs.example.com",
        "https://",
        "https://*",
        "https://*.com",
        "https://docs.*.com",
        "https://*docs.example.com",
        "https://docs.example.com/path",
        "https://docs.example.com?x",
        "https://docs.example.com#x",
        "https://user@docs.example.com",
        "https://docs.example.com:",
        "https://docs.example.com:port",
        "https://docs.example.com:99999",
        "http://docs.example.com",
        "ftp://docs.example.com",
        "https://exa mple.com",
        "https://bücher.example",
        "https://-a.example.com",
        "https://[::1",
        f"https://{'a.' * 140}example.community",
    ],
)
def test_what_is_no_origin_or_is_too_wide_is_refused(given: str) -> None:
    with pytest.raises(SpecError):
        normalised(given)


def test_an_origin_that_is_given_twice_is_kept_once() -> None:
    assert normalised_origins(["https://a.example", "https://A.example/"]) == ("https://a.example",)


def test_fifty_origins_are_enough() -> None:
    with pytest.raises(SpecError, match="at most 50"):
        normalised_origins([f"https://a{i}.example" for i in range(51)])


@pytest.mark.parametrize(
    ("origin", "covered"),
    [
        ("https://docs.example.com", True),
        ("https://a.b.example.com", True),
        ("https://example.com", False),
        ("https://evilexample.com", False),
        ("http://docs.example.com", False),
        ("https://docs.example.com:8443", False),
        ("https://docs.example.com.evil.org", False),
        ("https://evil.org/.example.com", False),
        ("https://evil.org#.example.com", False),
        ("https://.example.com", False),
        ("https://*.example.com", False),
        ("null", False),
        ("", False),
    ],
)
def test_a_wide_origin_covers_what_is_below_it_and_nothing_else(origin: str, covered: bool) -> None:
    assert allows(("https://*.example.com",), origin) is covered
