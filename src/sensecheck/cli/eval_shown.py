"""Addresses as they are kept and shown: without a password, and without a query that may hold a key."""

from collections.abc import Mapping
from typing import Any

from sensecheck.io.openai import Endpoint, is_address


def shown_address(url: str) -> str:
    """The address without a password, and without its query."""
    return Endpoint(url, "", api_key=None, timeout=1.0, retries=0).url


def shown_encoder(described: str) -> str:
    """What an encoder is called: `openai:URL#MODEL` with such an address, all others as they are."""
    kind, _, argument = described.partition(":")
    url, _, model = argument.partition("#")
    if kind != "openai" or not is_address(url):
        return described
    return f"openai:{shown_address(url)}#{model.partition('?')[0]}"


def shown_data(held: Any) -> Any:
    """Plain data in which every encoder is called so."""
    if isinstance(held, str):
        return shown_encoder(held)
    if isinstance(held, Mapping):
        return {name: shown_data(value) for name, value in held.items()}
    return [shown_data(value) for value in held] if isinstance(held, list | tuple) else held
