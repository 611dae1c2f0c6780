"""Keys of the service, made, listed and revoked in its database."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from sensecheck.checks.policies import POLICIES, named
from sensecheck.config import Settings, variables
from sensecheck.core.errors import SpecError
from sensecheck.server.caller import PUBLISHABLE_SCOPES, SECRET_SCOPES
from sensecheck.server.pepper import pepper_for
from sensecheck.server.settings import ServiceSettings
from sensecheck.store.address import database_url, store_option
from sensecheck.store.engine import reading, writing
from sensecheck.store.service import api_keys
from sensecheck.store.service.api_keys import NewKey, read_key
from sensecheck.store.service.policies import resolve
from sensecheck.store.service.records import ApiKey
from sensecheck.store.service.store import ServiceStore


def _default_store() -> str:
    return Settings.from_environment().store


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRequest:
    """A key to be made: whose it is, what it may do, and how much."""

    project: str = "default"
    label: str = ""
    """What it is for, in your own words."""
    publishable: bool = False
    """For a web page; it can only ask."""
    origins: tuple[str, ...] = ()
    """Pages that may use it."""
    scopes: tuple[str, ...] = ()
    """All that it may do; empty for all that its kind may."""
    policy: str = "default"
    review: bool = False
    """Store what is withheld for reviewers."""
    per_minute: int = 600
    per_session_minute: int = 60
    per_address_minute: int = 120
    daily_budget: int = 0
    """About how many tokens are read in a day; 0 for any."""
    store: str = field(default_factory=_default_store)


def create_key(request: KeyRequest) -> tuple[ApiKey, str]:
    """A new key: what is known of it, and the secret itself, which cannot be had again."""
    allowed = frozenset(PUBLISHABLE_SCOPES if request.publishable else SECRET_SCOPES)
    with _opened(request.store) as (store, pepper):
        new_key = NewKey(
            project=store.project(request.project),
            kind="publishable" if request.publishable else "secret",
            label=request.label or ("a page" if request.publishable else "a server"),
            scopes=frozenset(request.scopes or allowed),
            origins=request.origins,
            policy=request.policy,
            review=request.review,
            per_minute=request.per_minute,
            per_session_minute=request.per_session_minute,
            per_address_minute=request.per_address_minute,
            daily_budget=request.daily_budget,
        )
        _validate_policy(store, new_key.project, request.policy)
        with writing(store.engine) as connection:
            return api_keys.create(connection, new_key, pepper, allowed=allowed)


def list_keys(store: str | None = None) -> list[ApiKey]:
    """All keys, without their secrets; the database must be there."""
    address = _existing(store)
    with _opened(address) as (opened, _), reading(opened.engine) as connection:
        return list(api_keys.each(connection))


def revoke_key(key: str, store: str | None = None) -> tuple[str, datetime]:
    """The id of a key that works no longer, and since when; `key` is its id, or the complete key."""
    address = _existing(store)
    parts = read_key(key)
    name = parts.id if parts else key
    with _opened(address) as (opened, _), writing(opened.engine) as connection:
        since = api_keys.revoke(connection, name)
    if since is None:
        raise SpecError(f"there is no key with this id; `{keys_command('list', address)}` shows them")
    return name, since


def key_to_data(key: ApiKey) -> dict[str, Any]:
    """What is known of a key, ready for JSON."""
    data = {field.name: getattr(key, field.name) for field in fields(key) if field.name != "digest"}
    return data | {
        "project": data.pop("project_name"),
        "scopes": sorted(key.scopes),
        "created_at": key.created_at.isoformat(),
        "revoked_at": key.revoked_at.isoformat() if key.revoked_at else None,
    }


def keys_command(verb: str, store: str | None = None) -> str:
    """A command on the same database, to be copied."""
    return f"sensecheck keys {verb}{store_option(_default_store() if store is None else store)}"


@contextmanager
def _opened(address: str) -> Iterator[tuple[ServiceStore, str]]:
    """The store at this address, and the pepper of its keys."""
    pepper = pepper_for(address, ServiceSettings.from_variables(variables()))
    with closing(ServiceStore.open(address)) as store:
        yield store, pepper


def _existing(store: str | None) -> str:
    """The address of a database that is there: looking makes no new file."""
    address = _default_store() if store is None else store
    url = database_url(address)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise SpecError(
            f"there is no database at `{url.database}`; `{keys_command('create', address)}` makes it"
        )
    return address


def _validate_policy(store: ServiceStore, project: int, policy: str) -> None:
    """Raise `SpecError` for a policy that is neither ours nor the project's."""
    if policy.partition("@")[0] in POLICIES:
        named(policy)
    elif resolve(store, project, policy) is None:
        names = ", ".join(f"`{name}`" for name in POLICIES)
        raise SpecError(f"`{policy}` is no policy of this project, and none of ours: {names}")
