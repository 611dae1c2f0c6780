"""Which questions of a run have been put to somebody, whether or not there was an answer."""

import numpy as np
from sqlalchemy import select

from sensecheck.evals.qa.report.chosen import Places
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.run_reading import RunTable
from sensecheck.store.tables import answers


def reached_in(store: EvalStore, table: RunTable) -> Places:
    """Their positions in the table, in order: a service may answer in any order, and leave gaps."""
    query = select(answers.c.position).where(answers.c.run == table.run.key).order_by(answers.c.position)

    def read() -> Places:
        with store.engine.connect() as connection:
            return np.fromiter(connection.execute(query).scalars(), np.int64)

    found = store.patience.until_done(read)
    return found[found < len(table.names)]  # others may have come since the table was read
