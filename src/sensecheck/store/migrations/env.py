"""What alembic runs: the steps, one transaction each, on the connection that it is given."""

from functools import partial

from alembic import context

from sensecheck.store.migrations.base import VERSION_TABLE
from sensecheck.store.service_tables import metadata

configure = partial(
    context.configure,
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transaction_per_migration=True,
    transactional_ddl=True,
)


def run() -> None:
    """Run the steps, or write them down."""
    attributes = context.config.attributes
    if context.is_offline_mode():
        configure(
            dialect_name=attributes["dialect"], literal_binds=True, dialect_opts={"paramstyle": "named"}
        )
        for statement in attributes["first"]:
            context.execute(statement)
    else:
        configure(connection=attributes["connection"])
    with context.begin_transaction():
        context.run_migrations()


run()
