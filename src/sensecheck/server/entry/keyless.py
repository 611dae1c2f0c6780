"""Who is answered without a key."""

from datetime import UTC, datetime

from sensecheck.server.caller import PUBLISHABLE_SCOPES, SECRET_SCOPES
from sensecheck.store.service.records import ApiKey

LOCAL = "local"
ANONYMOUS = "anonymous"
PROJECT = "default"


def local_key(project: int) -> ApiKey:
    """The user of the machine that the service runs on: they may do everything, and nobody counts."""
    return _key(LOCAL, project, secret=True, per_minute=0, per_address_minute=0)


def anonymous_key(project: int, *, per_address_minute: int = 30) -> ApiKey:
    """A stranger: sees what a page may see, and so much from each address."""
    return _key(ANONYMOUS, project, secret=False, per_minute=0, per_address_minute=per_address_minute)


def _key(name: str, project: int, *, secret: bool, per_minute: int, per_address_minute: int) -> ApiKey:
    return ApiKey(
        id=name,
        project=project,
        project_name=PROJECT,
        kind="secret" if secret else "publishable",
        label=name,
        scopes=frozenset[str](SECRET_SCOPES if secret else PUBLISHABLE_SCOPES),
        origins=(),
        policy="default",
        review=False,
        per_minute=per_minute,
        per_session_minute=0,
        per_address_minute=per_address_minute,
        daily_budget=0,
        created_at=datetime.fromtimestamp(0, UTC),
    )
