"""Guards between a retriever and a prompt: queries guarded, and what the guards did, measured."""

from sensecheck.guards.guard import EffectsRequest, GuardedQueries, GuardRequest, guard, measure_effects

__all__ = ["EffectsRequest", "GuardRequest", "GuardedQueries", "guard", "measure_effects"]
