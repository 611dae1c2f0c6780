"""Policies as they are told: ours, and those of a project."""

from sensecheck.checks.policies import POLICIES, Policy
from sensecheck.server.reviewing.policy_lines import our_cutoff
from sensecheck.server.shapes.policies import PolicyReply
from sensecheck.store.service.records import FittedPolicy


def ours(policy: Policy) -> PolicyReply:
    """One that comes with the service."""
    cutoff = our_cutoff(policy)
    return PolicyReply(
        name=policy.name,
        version=policy.version,
        mark=policy.mark,
        reads=policy.reads,
        ours=True,
        base=policy.name,
        promise=None if cutoff is None or cutoff.certificate is None else cutoff.certificate.promise,
        cutoff=None if cutoff is None else cutoff.to_data(),
        created_at=None,
    )


def theirs(policy: FittedPolicy, *, with_card: bool = False) -> PolicyReply:
    """One of a project, with the card of its fit where that is wanted."""
    return PolicyReply(
        name=policy.name,
        version=policy.version,
        mark=policy.mark,
        reads=POLICIES[policy.base].reads,
        ours=False,
        base=policy.base,
        promise=policy.card["promise"],
        cutoff=policy.cutoff,
        created_at=policy.created_at,
        card=policy.card if with_card else None,
    )
