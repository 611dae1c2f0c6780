"""That those who read are the same everywhere, and to the end of a run."""

from collections.abc import Mapping

from sensecheck.core.backends import Answerers
from sensecheck.core.errors import SpecError


def fingerprints_of(answerers: Answerers) -> dict[str, str]:
    """The fingerprint of each one that is there."""
    there = {"encoder": answerers.encoder, "verifier": answerers.pairs, "judge": answerers.judge}
    return {name: one.fingerprint for name, one in there.items() if one is not None}


def must_be_those(answerers: Answerers, planned: Mapping[str, str]) -> None:
    """Raise where a worker has got somebody else than the run was begun with."""
    for name, found in fingerprints_of(answerers).items():
        wanted = planned.get(name)
        if found != wanted:
            raise SpecError(
                f"the {name} of a worker is `{found}`, and the run wants `{wanted}`; give all machines "
                "the same weights and settings"
            )
