"""Keys: made, found, and taken back. Only the HMAC of a secret is kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, select

from sensecheck.core.errors import SpecError
from sensecheck.store.moments import in_utc, now
from sensecheck.store.names import kept_name
from sensecheck.store.service.key_texts import new_parts, written
from sensecheck.store.service.origins import normalised_origins
from sensecheck.store.service.pepper import digest_of
from sensecheck.store.service.records import ApiKey, Kind
from sensecheck.store.service_tables import api_keys
from sensecheck.store.tables import projects

MOST = 2_000_000_000
"""Of any limit; the database could hold no more."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """What is wanted of a key that is to be made; a limit of 0 is none."""

    project: int
    kind: Kind
    label: str
    scopes: frozenset[str]
    origins: tuple[str, ...] = ()
    policy: str = "default"
    review: bool = False
    per_minute: int = 600
    per_session_minute: int = 60
    per_address_minute: int = 120
    daily_budget: int = 0


def create(
    connection: Connection, wanted: NewKey, pepper: str, *, allowed: frozenset[str]
) -> tuple[ApiKey, str]:
    """A new key, and the whole of it as it is shown once; `allowed` are the scopes that its kind may have."""
    _must_be_sound(wanted, allowed)
    if connection.execute(select(projects.c.key).where(projects.c.key == wanted.project)).first() is None:
        raise SpecError(f"there is no project {wanted.project}; make it before its keys")
    parts = new_parts(wanted.kind)
    row = {
        "id": parts.id,
        "project": wanted.project,
        "kind": wanted.kind,
        "label": kept_name(wanted.label, "the label of a key"),
        "scopes": sorted(wanted.scopes),
        "origins": list(normalised_origins(wanted.origins)),
        "policy": wanted.policy,
        "review": wanted.review,
        "per_minute": wanted.per_minute,
        "per_session_minute": wanted.per_session_minute,
        "per_address_minute": wanted.per_address_minute,
        "daily_budget": wanted.daily_budget,
        "created_at": now(),
        "digest": digest_of(parts.secret, pepper),
    }
    connection.execute(api_keys.insert(), row)
    made = connection.execute(_query().where(api_keys.c.id == parts.id)).mappings().one()
    return _key_in(made), written(parts)


def find(connection: Connection, key_id: str) -> ApiKey | None:
    """The key with this id, taken back or not; None where there is none."""
    row = connection.execute(_query().where(api_keys.c.id == key_id)).mappings().one_or_none()
    return None if row is None else _key_in(row)


def each(connection: Connection, project: int | None = None) -> Iterator[ApiKey]:
    """All keys, or those of one project, oldest first."""
    query = _query().order_by(api_keys.c.created_at, api_keys.c.id)
    if project is not None:
        query = query.where(api_keys.c.project == project)
    return map(_key_in, connection.execute(query).mappings())


def any_key(connection: Connection) -> bool:
    """Whether anybody has ever made a key; taken back or not, the service is then closed to strangers."""
    return connection.execute(select(api_keys.c.id).limit(1)).first() is not None


def revoke(connection: Connection, key_id: str) -> datetime | None:
    """Take a key back; since when it is, or None where there is no such key. Twice is as good as once."""
    unused = api_keys.c.revoked_at.is_(None)
    connection.execute(api_keys.update().where(api_keys.c.id == key_id, unused).values(revoked_at=now()))
    key = find(connection, key_id)
    return None if key is None else key.revoked_at


def _query() -> Select[Any]:
    names = projects.c.name.label("project_name")
    return select(api_keys, names).join(projects, projects.c.key == api_keys.c.project)


def _key_in(row: RowMapping) -> ApiKey:
    revoked = row["revoked_at"]
    return ApiKey(
        **{
            **row,
            "scopes": frozenset(row["scopes"]),
            "origins": tuple(row["origins"]),
            "created_at": in_utc(row["created_at"]),
            "revoked_at": None if revoked is None else in_utc(revoked),
            "digest": bytes(row["digest"]),
        }
    )


def _must_be_sound(wanted: NewKey, allowed: frozenset[str]) -> None:
    beyond = sorted(wanted.scopes - allowed)
    if beyond:
        known = ", ".join(f"`{scope}`" for scope in sorted(allowed))
        raise SpecError(f"a {wanted.kind} key cannot have the scope `{beyond[0]}`; wanted some of {known}")
    if not wanted.scopes:
        raise SpecError("a key wants at least one scope; found none")
    if wanted.kind == "publishable" and not wanted.origins:
        raise SpecError("a publishable key wants at least one origin, such as `https://docs.example.com`")
    if wanted.kind == "secret" and wanted.origins:
        raise SpecError("a secret key is for servers, and wants no origin; make a publishable one for pages")
    for name in ("per_minute", "per_session_minute", "per_address_minute", "daily_budget"):
        if not 0 <= getattr(wanted, name) <= MOST:
            raise SpecError(
                f"`{name}` wants 0, for any number, up to {MOST:,}; found {getattr(wanted, name)}"
            )
