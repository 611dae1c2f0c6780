"""What is installed, cached and pinned here."""

from sensecheck.installation.cache import CacheUse, ClearedCache, ClearRequest, cache_contents, clear_cache
from sensecheck.installation.doctor import InstallationFinding, diagnose, is_ready
from sensecheck.installation.models import ModelVerification, list_models, verify_model

__all__ = [
    "CacheUse",
    "ClearRequest",
    "ClearedCache",
    "InstallationFinding",
    "ModelVerification",
    "cache_contents",
    "clear_cache",
    "diagnose",
    "is_ready",
    "list_models",
    "verify_model",
]
