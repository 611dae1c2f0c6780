"""Guards between a retriever and a prompt: queries guarded, and what the guards did, measured."""

from sensecheck.guards.effects import EffectsRequest, measure_effects
from sensecheck.guards.guard import GuardedQueries, GuardRequest, guard

__all__ = ["EffectsRequest", "GuardRequest", "GuardedQueries", "guard", "measure_effects"]
