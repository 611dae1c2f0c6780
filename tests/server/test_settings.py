"""A setting that makes no sense is told by the name of its variable, before anything is started."""

import asyncio
from pathlib import Path

import pytest

from sensecheck.config import Settings
from sensecheck.core.errors import SpecError
from sensecheck.server.settings import ServiceSettings
from sensecheck.server.startup import made


@pytest.mark.parametrize(
    ("variable", "text", "told"),
    [
        ("SENSECHECK_SERVE_ENGINES", "-1", "must be at least 0; got -1"),
        ("SENSECHECK_SERVE_MAX_WAIT", "0", "must be at least 0.05; got 0.0"),
        ("SENSECHECK_SERVE_WRITER_TIMEOUT", "86400", "must be less than"),
        ("SENSECHECK_SERVE_WRITER_FIRST_TOKEN", "0", "must be at least 0.1; got 0.0"),
        ("SENSECHECK_SERVE_WRITER_FIRST_TOKEN", "300", "must be less than 300"),
        ("SENSECHECK_SERVE_DRAIN", "-1", "must be at least 0; got -1"),
        ("SENSECHECK_SERVE_SPOOL", "", "must be a file such as"),
    ],
)
def test_the_variable_is_named(variable: str, text: str, told: str) -> None:
    with pytest.raises(SpecError, match=f"^{variable} {told}"):
        ServiceSettings.from_variables({variable: text})


def test_proxies_that_are_no_addresses_are_told_before_anything_is_started(tmp_path: Path) -> None:
    database, spool = tmp_path / "service.sqlite3", tmp_path / "spool.sqlite3"
    service = ServiceSettings(proxies="10.0.0.7, the-balancer", spool=str(spool))

    async def start() -> None:
        async with made(Settings(store=str(database)), service, local=True):
            pytest.fail("it started")

    with pytest.raises(SpecError, match=r"^SENSECHECK_SERVE_PROXIES must be addresses"):
        asyncio.run(start())

    assert not database.exists()
    assert not spool.exists()
