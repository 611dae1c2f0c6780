"""An upgrade written as SQL does the same, and locks as little."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import psycopg
import pytest
from benchmarks.speed.migrations import steps

from sensecheck.core.errors import SpecError
from sensecheck.store.address import database_url
from sensecheck.store.engine import engine_of
from sensecheck.store.migrations.base import VERSIONS_FOLDER
from sensecheck.store.migrations.runner import MigrationRunner
from sensecheck.store.upgrade import check, upgrade, upgrade_in_sql
from tests.databases import postgresql_database

ROOT = Path(__file__).parents[2]
EXCLUDED = {
    "prefer-bigint-over-int": "positions within a run, and sizes of batches: two billions are enough",
    "prefer-identity": "one role owns the tables; a serial number does the same",
    "prefer-text-field": "the version table is alembic's, and its names are five letters long",
}
OF_LABELS = {
    "adding-not-nullable-field": "the table is small, and looked at within a moment",
    "adding-serial-primary-key-field": "the same",
    "constraint-missing-not-valid": "the same",
    "ban-drop-column": "values that were copied before, under the same lock",
    "ban-drop-constraint": "the primary key gets a column, in the same statement",
    "ban-drop-default": "the default is that of the same transaction",
    "renaming-column": "no one sees the names in between: the lock is kept until they are as before",
}
"""What may be done to `labels`, and to no other table."""


def test_the_written_upgrade_makes_the_same_tables(address: str) -> None:
    sql = upgrade_in_sql(address)
    if address.startswith("sqlite"):
        engine = engine_of(database_url(address))
        raw = engine.raw_connection()
        raw.driver_connection.executescript(sql)  # type: ignore[union-attr]
        raw.close()
    else:
        engine = engine_of(database_url(address))
        with psycopg.connect(address, autocommit=True) as connection:
            for statement in one_by_one(sql):
                connection.execute(statement.encode())

    assert all(looked.sound for looked in check(engine))
    assert upgrade_in_sql(address) == ""
    engine.dispose()


def test_only_what_is_left_to_do_is_written(address: str, tmp_path: Path) -> None:
    upgrade(address)
    runner = MigrationRunner(database_url(address), versions=steps(tmp_path))

    sql = runner.as_sql("m001")

    assert "CREATE TABLE" not in sql
    assert "ix_readings_value" in sql


@pytest.mark.database
def test_what_depends_on_the_partitions_of_a_table_is_not_written_as_sql(tmp_path: Path) -> None:
    with postgresql_database() as address:
        runner = MigrationRunner(database_url(address), versions=steps(tmp_path))

        with pytest.raises(SpecError, match="cannot be written as SQL, since the partitions of a table are"):
            runner.as_sql("head")


@pytest.mark.database
@pytest.mark.parametrize("to", ["head", "m001"])
def test_a_linter_of_migrations_finds_nothing_that_we_have_not_weighed(tmp_path: Path, to: str) -> None:
    squawk = shutil.which("squawk", path=str(Path(sys.executable).parent))
    if squawk is None:
        pytest.skip("squawk-cli is not installed")
    file = tmp_path / "upgrade.sql"
    with postgresql_database() as address:
        if to == "head":
            sql = upgrade_in_sql(address)
        else:
            sql = MigrationRunner(database_url(address), versions=steps(tmp_path)).as_sql(to)
        file.write_text(sql, encoding="utf-8")

    done = subprocess.run(
        [squawk, "--reporter", "json", str(file)], capture_output=True, text=True, check=False
    )

    found, lines = json.loads(done.stdout), sql.splitlines()
    rules = {(one["rule_name"], lines[one["line"]].startswith("ALTER TABLE labels ")) for one in found}
    assert {rule for rule, of_labels in rules if not of_labels} == set(EXCLUDED)
    assert {rule for rule, of_labels in rules if of_labels} - set(EXCLUDED) == set(OF_LABELS)


def test_the_steps_are_in_the_wheel(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")

    packed = set(zipfile.ZipFile(wheel).namelist())

    wanted = {*VERSIONS_FOLDER.glob("*.py"), VERSIONS_FOLDER.parent / "env.py"}
    assert {f"sensecheck/{path.relative_to(ROOT / 'src' / 'sensecheck')}" for path in wanted} <= packed


def one_by_one(sql: str) -> list[str]:
    """The statements, as psql would send them."""
    parts, inside, held = sql.split(";\n"), False, ""
    found = []
    for part in parts:
        held += part if not held else f";\n{part}"
        inside ^= part.count("$$") % 2 == 1
        if not inside and held.strip():
            found.append(held)
        held = held if inside else ""
    return found
