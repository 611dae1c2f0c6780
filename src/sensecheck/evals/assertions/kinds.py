"""Every type of assertion, by its name."""

from collections.abc import Mapping

from sensecheck.evals.assertions import json_kinds, judging, likeness, own, scripting, spent, wording
from sensecheck.evals.assertions.kind import Kind

KINDS: Mapping[str, Kind] = {
    **wording.KINDS,
    **json_kinds.KINDS,
    **likeness.KINDS,
    **spent.KINDS,
    **scripting.KINDS,
    **judging.KINDS,
    **own.KINDS,
}
SET = "assert-set"
"""Several assertions that count as one."""
