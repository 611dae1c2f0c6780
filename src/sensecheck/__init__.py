"""Does this answer mean what it should? Deterministic, offline, explained checks of LLM answers."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sensecheck.calibration.card import Card
    from sensecheck.calibration.library import CardLibrary
    from sensecheck.calibration.target import Target
    from sensecheck.checks.assess import assess
    from sensecheck.checks.calibrate import LabelledSample, fit_card
    from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not
    from sensecheck.checks.gate import Gate
    from sensecheck.checks.policies import Policy
    from sensecheck.checks.spec import check_from_data, check_to_data
    from sensecheck.config import Settings
    from sensecheck.core.backends import Backends, Encoder
    from sensecheck.core.cutoff import Cutoff, at_least, at_most
    from sensecheck.core.errors import SensecheckError
    from sensecheck.core.loading import load_encoder
    from sensecheck.core.needs import Needs
    from sensecheck.core.reading import Evidence, Reading, Span
    from sensecheck.core.sample import Sample
    from sensecheck.core.space import Space
    from sensecheck.core.verdict import Verdict
    from sensecheck.grounding.grounding import Grounding
    from sensecheck.sense import Sense

_HOME = {
    "AllOf": "checks.combine",
    "Backends": "core.backends",
    "AnyOf": "checks.combine",
    "Card": "calibration.card",
    "CardLibrary": "calibration.library",
    "Cascade": "checks.combine",
    "Cutoff": "core.cutoff",
    "Encoder": "core.backends",
    "Evidence": "core.reading",
    "Gate": "checks.gate",
    "Grounding": "grounding.grounding",
    "LabelledSample": "checks.calibrate",
    "Needs": "core.needs",
    "Not": "checks.combine",
    "Policy": "checks.policies",
    "Reading": "core.reading",
    "Sample": "core.sample",
    "Sense": "sense",
    "SensecheckError": "core.errors",
    "Settings": "config",
    "Space": "core.space",
    "Span": "core.reading",
    "Target": "calibration.target",
    "Verdict": "core.verdict",
    "assess": "checks.assess",
    "at_least": "core.cutoff",
    "at_most": "core.cutoff",
    "check_from_data": "checks.spec",
    "check_to_data": "checks.spec",
    "fit_card": "checks.calibrate",
    "load_encoder": "core.loading",
}

__all__ = [
    "AllOf",
    "AnyOf",
    "Backends",
    "Card",
    "CardLibrary",
    "Cascade",
    "Cutoff",
    "Encoder",
    "Evidence",
    "Gate",
    "Grounding",
    "LabelledSample",
    "Needs",
    "Not",
    "Policy",
    "Reading",
    "Sample",
    "Sense",
    "SensecheckError",
    "Settings",
    "Space",
    "Span",
    "Target",
    "Verdict",
    "assess",
    "at_least",
    "at_most",
    "check_from_data",
    "check_to_data",
    "fit_card",
    "load_encoder",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Each name is loaded when it is first used: importing sensecheck imports nothing else."""
    if name not in _HOME:
        raise AttributeError(f"module `sensecheck` has no attribute `{name}`")
    return getattr(import_module(f"sensecheck.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
