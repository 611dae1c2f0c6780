"""The pepper: the secret that keys are stored under.

Kept apart from `startup`: it is looked at before anything that takes long is imported.
"""

from pathlib import Path

from sensecheck.core.errors import SpecError
from sensecheck.server.settings import ServiceSettings
from sensecheck.store.address import database_url
from sensecheck.store.service.api_keys import MIN_PEPPER_CHARS, pepper_beside


def pepper_for(address: str, service: ServiceSettings) -> str:
    """The one that is set, or the one beside a file of SQLite."""
    if service.pepper is not None:
        if len(service.pepper) < MIN_PEPPER_CHARS:
            raise SpecError(
                f"SENSECHECK_SERVE_PEPPER must have at least {MIN_PEPPER_CHARS} characters; "
                f"got {len(service.pepper)}"
            )
        return service.pepper
    url = database_url(address)
    if url.get_backend_name() == "sqlite":
        return pepper_beside(Path(url.database or ""))
    raise SpecError(
        "SENSECHECK_SERVE_PEPPER is not set; with PostgreSQL it needs a secret of at least 16 characters, "
        "the same for every process: `openssl rand -hex 32` makes one"
    )
