"""Policies of a project: one of ours, with a threshold that was fitted on its own labels."""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, func, select

from sensecheck.core.errors import StorageError
from sensecheck.store.bulk import insert_into
from sensecheck.store.columns import in_utc, now
from sensecheck.store.service.records import FittedPolicy
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import fitted_policies

Items = tuple[tuple[str, Any], ...]
_TRIES = 5
PATTERN = "^[a-z0-9][a-z0-9_-]*$"
"""The name of a policy, for those who read schemas."""
MAX_NAME_CHARS = 100
_NAME_AND_VERSION = re.compile(rf"([a-z0-9][a-z0-9_-]{{0,{MAX_NAME_CHARS - 1}}})(?:@([0-9]{{1,9}}))?")


@dataclass(frozen=True, slots=True)
class NewPolicy:
    """What was fitted, before it has a version."""

    project: int
    name: str
    base: str
    cutoff: dict[str, Any]
    card: dict[str, Any]


def add_policy(connection: Connection, new: NewPolicy) -> FittedPolicy:
    """Keep a policy as the next version of its name; versions before it stay as they were."""
    for _ in range(_TRIES):  # someone else may take the same version at the same time
        newest = find_policy(connection, new.project, new.name)
        version = 1 if newest is None else newest.version + 1
        policy = FittedPolicy(**asdict(new), version=version, created_at=now())
        if _add_version(connection, policy):
            return policy
    raise StorageError(f"others stored {_TRIES} versions of this policy at the same time; try again")


def find_policy(
    connection: Connection, project: int, name: str, version: int | None = None
) -> FittedPolicy | None:
    """The newest version of a policy of the project, or another one; None where there is none."""
    query = select(fitted_policies).where(
        fitted_policies.c.project == project, fitted_policies.c.name == name
    )
    if version is not None:
        query = query.where(fitted_policies.c.version == version)
    newest = query.order_by(fitted_policies.c.version.desc()).limit(1)
    row = connection.execute(newest).mappings().one_or_none()
    return None if row is None else _policy_in(row)


def each_policy(connection: Connection, project: int) -> Iterator[FittedPolicy]:
    """The newest version of each policy of the project, by name."""
    last = select(fitted_policies.c.name, func.max(fitted_policies.c.version).label("version"))
    newest = last.where(fitted_policies.c.project == project).group_by(fitted_policies.c.name).subquery()
    query = (
        select(fitted_policies)
        .join(
            newest,
            (newest.c.name == fitted_policies.c.name) & (newest.c.version == fitted_policies.c.version),
        )
        .where(fitted_policies.c.project == project)
        .order_by(fitted_policies.c.name)
    )
    return map(_policy_in, connection.execute(query).mappings())


def policies_made(connection: Connection, project: int, begin: datetime, end: datetime) -> list[FittedPolicy]:
    """The versions of policies of the project that were made in this time, oldest first."""
    in_period = fitted_policies.c.created_at >= begin, fitted_policies.c.created_at < end
    query = select(fitted_policies).where(fitted_policies.c.project == project, *in_period)
    in_order = query.order_by(fitted_policies.c.created_at, fitted_policies.c.name, fitted_policies.c.version)
    return list(map(_policy_in, connection.execute(in_order).mappings()))


def resolve(store: ServiceStore, project: int, name: str) -> tuple[str, Items | None, str] | None:
    """What `name` or `name@version` means in a project: our policy, the threshold in it, and the mark.

    None where the project has no such policy; names of ours are known without the database.
    """
    match = _NAME_AND_VERSION.fullmatch(name)
    if match is None:  # it may hold what no database takes
        return None
    bare, version = match[1], match[2]
    with store.reading() as connection:
        policy = find_policy(connection, project, bare, int(version) if version else None)
    return None if policy is None else (policy.base, tuple(sorted(policy.cutoff.items())), policy.mark)


def _add_version(connection: Connection, policy: FittedPolicy) -> bool:
    """Whether the version was still free."""
    new = insert_into(connection, fitted_policies).values(asdict(policy)).on_conflict_do_nothing()
    return connection.execute(new.returning(fitted_policies.c.version)).scalar_one_or_none() is not None


def _policy_in(row: RowMapping) -> FittedPolicy:
    return FittedPolicy(**{**row, "created_at": in_utc(row["created_at"])})
