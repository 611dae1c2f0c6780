"""Policies of a project, as if they had been fitted."""

from sensecheck.store.service.policies import NewPolicy, add_policy
from sensecheck.store.service.store import ServiceStore


def keep_fitted(store: ServiceStore, project: int, name: str, *, at_least: float) -> None:
    """Keep the first version of a policy with this line."""
    with store.writing() as connection:
        add_policy(connection, NewPolicy(project, name, "default", {"at_least": at_least}, {}))
