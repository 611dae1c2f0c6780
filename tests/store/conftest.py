"""The same tests on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sensecheck.runs.sql import EvalStore
from tests.databases import postgresql_database
from tests.ready_tables import make_tables


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.database)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'evals.sqlite3'}"
    else:
        with postgresql_database() as made:
            yield made


@pytest.fixture
def store(address: str) -> Iterator[EvalStore]:
    """An empty store, with its tables."""
    make_tables(address)
    opened = EvalStore.open(address, patience=10)
    yield opened
    opened.close()
