"""What can be asked of an answer, and with which parameters: the one table for every face.

Batteries, `Sense`, expectations in tests, the command line and the tools take these parameters, and no
other names for them.
"""

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any

from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.policies import Policy
from sensecheck.checks.presets import PRESETS
from sensecheck.checks.spec import check_from_data
from sensecheck.core.protocols import Check
from sensecheck.core.threshold import CutoffSource

ThresholdLike = float | str | Mapping[str, Any] | CutoffSource
"""A threshold: a number, a card or its name, or a promise such as `{"fpr": 0.05}`."""
PolicyLike = str | Mapping[str, Any] | Policy
"""A policy by its name or as `name@version`, as data, or as it is."""
_CONTENT = ("expected", "clusters", "wanted", "expected_cluster")
"""What an answer is compared with, which each face takes in its own place."""


def parameters_of(preset: str) -> tuple[str, ...]:
    """How a preset may be set to decide, besides what it compares an answer with."""
    return tuple(name for name in inspect.signature(PRESETS[preset]).parameters if name not in _CONTENT)


PARAMETERS: Mapping[str, tuple[str, ...]] = {preset: parameters_of(preset) for preset in PRESETS}
"""By preset, the parameters that every face takes where it offers the preset."""


def preset_check(preset: str, library: CardLibrary | None = None, **given: Any) -> Check:
    """The preset with those of its parameters that are not None."""
    options = {name: value for name, value in given.items() if value is not None}
    return (
        check_from_data({"kind": preset, **options}, at=preset, library=library)
        if options
        else _default_check(preset)
    )


@cache
def _default_check(preset: str) -> Check:
    return check_from_data({"kind": preset}, at=preset)


def grounding_check(
    policy: PolicyLike, library: CardLibrary | None = None, threshold: ThresholdLike | None = None
) -> Check:
    """The check of a policy, with a threshold in the place of its own where one is given."""
    chosen = policy if isinstance(policy, Policy) else Policy.from_data(policy)
    cards = CardLibrary.shipped() if library is None else library
    return chosen.check(cards, None if threshold is None else cards.cutoff_source(threshold))
