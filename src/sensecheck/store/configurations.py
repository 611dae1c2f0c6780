"""Projects and their tests: made when they are first named."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine, RowMapping, Select, select

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Test, digest_of
from sensecheck.store.bulk import add_missing
from sensecheck.store.engine import writing
from sensecheck.store.moments import now
from sensecheck.store.names import kept_name
from sensecheck.store.tables import projects, tests


def project_key(engine: Engine, name: str) -> int:
    """The project of this name, made if there is none yet."""
    if not name.strip():
        raise SpecError("a project wants a name; found an empty one")
    name = kept_name(name, "the name of a project")
    with writing(engine) as connection:
        add_missing(connection, projects, [{"id": str(uuid4()), "name": name, "created_at": now()}])
        return int(connection.execute(select(projects.c.key).where(projects.c.name == name)).scalar_one())


def keep_test(
    engine: Engine, project: str, name: str, embedding: Mapping[str, Any], generation: Mapping[str, Any]
) -> Test:
    """The test of this name and configuration; with another configuration it is another one."""
    key, name = project_key(engine, project), kept_name(name, "the name of a test")
    digest = digest_of([name, dict(embedding), dict(generation)])
    row = {
        "id": str(uuid4()),
        "project": key,
        "name": name,
        "embedding": dict(embedding),
        "generation": dict(generation),
        "digest": digest,
        "created_at": now(),
    }
    with writing(engine) as connection:
        add_missing(connection, tests, [row])
        query = tests_query().where(tests.c.project == key, tests.c.digest == digest)
        return test_in(connection.execute(query).mappings().one())


def tests_query() -> Select[Any]:
    """All tests, with the names that `test_in` reads."""
    return select(
        tests.c.key.label("test_key"),
        tests.c.id.label("test_id"),
        projects.c.name.label("project"),
        tests.c.name.label("test_name"),
        tests.c.embedding,
        tests.c.generation,
    ).join(projects, projects.c.key == tests.c.project)


def test_in(row: RowMapping) -> Test:
    """The test in a row of `tests_query`."""
    return Test(
        row["test_key"], row["test_id"], row["project"], row["test_name"], row["embedding"], row["generation"]
    )
