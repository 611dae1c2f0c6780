"""What decides a run beside its files: a run goes on only where all of it is still the same."""

import json
from hashlib import sha256

from sensecheck.evals.choosing import Plan
from sensecheck.evals.sources.secrets import brought_but_keys
from sensecheck.wiring import Settings


def conditions_of(plan: Plan, settings: Settings, *, second_opinion: bool = False) -> str:
    """A digest of the settings that judge, and of every test with its lines, as the environment fills it in.

    What a source sends is in its own fingerprint; a key may be changed without changing what is asked.
    """
    wordings = [wording.raw for wording in plan.battery.wordings]
    named = brought_but_keys(plan.battery.environment, wordings)
    judging = [settings.prefix, settings.judge, settings.verifier]
    judging += ["second opinion"] if second_opinion else []
    written = json.dumps([judging, named, plan.digest], sort_keys=True)
    return sha256(written.encode()).hexdigest()[:16]
