"""The lines of all policies that a project can use, by the mark that its messages carry."""

from sqlalchemy import Connection

from sensecheck.calibration.library import Shelf
from sensecheck.checks.policies import POLICIES, Policy
from sensecheck.core.cutoff import Cutoff
from sensecheck.store.service.policies import each_policy


def our_cutoff(policy: Policy) -> Cutoff | None:
    """The line that decides under a policy of ours; None for one that has two."""
    return None if policy.reads == "similarity-or-keywords" else Shelf.shipped().card(policy.card).cutoff()


def lines_of(connection: Connection, project: int) -> dict[str, float]:
    """Where the readings of messages turn from bad to good, by the mark of their policy."""
    ours = {policy.mark: our_cutoff(policy) for policy in POLICIES.values()}
    lines = {mark: cutoff.line for mark, cutoff in ours.items() if cutoff is not None}
    theirs = {
        policy.mark: Cutoff.from_data(policy.cutoff).line for policy in each_policy(connection, project)
    }
    return {**lines, **theirs}
