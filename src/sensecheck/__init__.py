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
    from sensecheck.core.backends import Backends, Embedding, Encoder, PairScore, PairScorer
    from sensecheck.core.cutoff import Cutoff, at_least, at_most
    from sensecheck.core.errors import (
        CannotJudge,
        EncoderError,
        ExpectationFailed,
        SampleError,
        SensecheckError,
        SpecError,
    )
    from sensecheck.core.loading import load_encoder
    from sensecheck.core.needs import Needs
    from sensecheck.core.protocols import Check, Measure
    from sensecheck.core.reading import Evidence, Reading, Span
    from sensecheck.core.sample import Sample
    from sensecheck.core.space import Space
    from sensecheck.core.verdict import Verdict
    from sensecheck.grounding.grounding import Grounding
    from sensecheck.sense import Sense

_HOME = {
    "AllOf": "checks.combine",
    "AnyOf": "checks.combine",
    "Backends": "core.backends",
    "CannotJudge": "core.errors",
    "Card": "calibration.card",
    "CardLibrary": "calibration.library",
    "Cascade": "checks.combine",
    "Check": "core.protocols",
    "Cutoff": "core.cutoff",
    "Embedding": "core.backends",
    "Encoder": "core.backends",
    "EncoderError": "core.errors",
    "Evidence": "core.reading",
    "ExpectationFailed": "core.errors",
    "Gate": "checks.gate",
    "Grounding": "grounding.grounding",
    "LabelledSample": "checks.calibrate",
    "Measure": "core.protocols",
    "Needs": "core.needs",
    "Not": "checks.combine",
    "PairScore": "core.backends",
    "PairScorer": "core.backends",
    "Policy": "checks.policies",
    "Reading": "core.reading",
    "Sample": "core.sample",
    "SampleError": "core.errors",
    "Sense": "sense",
    "SensecheckError": "core.errors",
    "Settings": "config",
    "Space": "core.space",
    "Span": "core.reading",
    "SpecError": "core.errors",
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
    "CannotJudge",
    "Card",
    "CardLibrary",
    "Cascade",
    "Check",
    "Cutoff",
    "Embedding",
    "Encoder",
    "EncoderError",
    "Evidence",
    "ExpectationFailed",
    "Gate",
    "Grounding",
    "LabelledSample",
    "Measure",
    "Needs",
    "Not",
    "PairScore",
    "PairScorer",
    "Policy",
    "Reading",
    "Sample",
    "SampleError",
    "Sense",
    "SensecheckError",
    "Settings",
    "Space",
    "Span",
    "SpecError",
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
